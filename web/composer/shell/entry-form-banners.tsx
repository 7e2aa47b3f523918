import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedDraft } from '#contract/drafts.ts'
import { type EntryText, textOf } from '#web/composer/drafts/entry-draft.ts'
import { draftName } from '#web/drafts/draft-name.ts'
import { useDiscard } from '#web/drafts/mutations.ts'
import { draftsQuery, isBeingDiscarded } from '#web/drafts/queries.ts'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Summary } from '#web/ui/controls/summary.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { LostPlace } from './lost-place.tsx'
import { MovedEntry, type MovedMilestone } from './moved-entry.tsx'
import type { Composer } from './use-composer.ts'
import type { UnchosenVersion } from './use-entry-form.ts'

type EntryFormBannersProps = { composer: Composer; onOpenMoved: (moved: MovedMilestone) => void }

/** The banners above the form: a restored draft, a failed save, the version that was not chosen in a conflict. */
export function EntryFormBanners({ composer, onOpenMoved }: EntryFormBannersProps) {
  const { entry, origin, original, draft, discardDraft, undoDiscard, movedMilestone } = composer
  const { restored, saveError, unchosen } = entry
  const { other } = draft
  const isNew = !original
  return (
    <>
      {((restored && !saveError) || undoDiscard) && (
        <Banner
          tone="info"
          action={
            // One button, which keeps the focus.
            <Button size="sm" onClick={undoDiscard ?? discardDraft}>
              {undoDiscard ? 'Undo' : 'Discard'}
            </Button>
          }
        >
          {undoDiscard
            ? 'Draft discarded'
            : isNew
              ? 'Your draft is back.'
              : 'The changes that you had not saved are back.'}
        </Banner>
      )}
      {restored && !saveError && original && (
        <Details summary="Show the saved text" text={textOf(original)} />
      )}
      {other && (
        <>
          <Banner tone="info">
            Another device has changed this draft. Nothing is lost: what you write here is a draft of its own,
            and the other text stays among your drafts.
          </Banner>
          <Details summary="The text from the other device" text={textOf(other)} />
        </>
      )}
      {saveError && movedMilestone && (
        <MovedEntry moved={movedMilestone} hasText onOpen={() => onOpenMoved(movedMilestone)} />
      )}
      <LostPlace
        origin={origin}
        isNew={isNew}
        others={
          saveError &&
          !movedMilestone && (
            <Banner>
              <p>{saveError.message}</p>
              {saveError.code !== 'invalid' && <p>What you wrote is still here.</p>}
            </Banner>
          )
        }
      />
      {unchosen && <UnchosenVersionBanner unchosen={unchosen} />}
    </>
  )
}

function UnchosenVersionBanner({ unchosen: { whose, text } }: { unchosen: UnchosenVersion }) {
  const summary = whose === 'mine' ? 'Your text, put aside' : 'The other text, put aside'
  return <Details summary={summary} text={text} />
}

/** Another text than that of the form, for reading and copying. */
function Details({ summary, text }: { summary: string; text: EntryText }) {
  return (
    <details className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-sm">
      <Summary className="text-ink">{summary}</Summary>
      <CopyButton text={text.content} label="Copy content" className="my-3" />
      <EntryTextView text={text} />
    </details>
  )
}

/** The text of an entry as plain Markdown, for comparison with another version. */
export function EntryTextView({ text }: { text: EntryText }) {
  return (
    <div className="flex flex-col gap-2.5">
      <p className="font-reading text-lg leading-snug font-medium">{text.title}</p>
      <p className="text-sm leading-6 whitespace-pre-wrap">{text.content}</p>
      <EntryTags tags={text.tags} />
    </div>
  )
}

type UnfinishedOfferProps = { milestoneId: string; onContinue: (draftId: string) => void }

/**
 * Offers the person's last unfinished draft of a new entry in this milestone, if this browser has none. It is fetched once,
 * while the form is already editable.
 */
export function UnfinishedDraftOffer({ milestoneId, onContinue }: UnfinishedOfferProps) {
  const personId = useSession().user?._id
  const discard = useDiscard()
  const [isGone, setGone] = useState(false)
  const { data: draft } = useQuery({
    queryKey: ['draft to offer', personId, milestoneId],
    // The list of drafts is refetched after each save of a draft.
    queryFn: async ({ client }) => {
      const drafts = await client.fetchQuery({ ...draftsQuery(personId), staleTime: 0 })
      return drafts.find((one) => isUnfinished(one, milestoneId)) ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (!draft || isGone) return null
  const name = draftName(draft)
  return (
    <Banner tone="info">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="min-w-0 wrap-anywhere">
          Unfinished: “<bdi>{name}</bdi>”, <Time iso={draft.savedAt} format="datetime" />
        </p>
        <span className="flex flex-wrap gap-2">
          <Button size="sm" aria-label={`Continue ${name}`} onClick={() => onContinue(draft._id)}>
            Continue
          </Button>
          <Button
            size="sm"
            aria-label={`Discard ${name}`}
            onClick={() => void discard(draft._id).then(setGone)}
          >
            Discard
          </Button>
        </span>
      </div>
    </Banner>
  )
}

const isUnfinished = ({ _id, entry, milestone, canEdit }: ListedDraft, milestoneId: string) =>
  entry === null && canEdit && milestone?._id === milestoneId && !isBeingDiscarded(_id)
