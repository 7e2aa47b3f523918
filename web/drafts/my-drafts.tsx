import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListedDraft } from '#contract/drafts.ts'
import { compose } from '#web/commands/compose.ts'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { RelativeTime, useNow } from '#web/ui/layout/time.tsx'
import { draftName } from './draft-name.ts'
import { reportGone, useDiscard } from './mutations.ts'
import { readDraft, type useMyDrafts } from './queries.ts'

/** The number of drafts shown before the user expands the list. */
const SHOWN = 3

type MyDraftsProps = {
  query: ReturnType<typeof useMyDrafts>['query']
  /** The number of drafts for which there is room above other content. */
  atMost?: number
}

/** The user's drafts, if any. */
export function MyDrafts({ query: { data: drafts, isError, refetch }, atMost }: MyDraftsProps) {
  // The list disappears with its last draft.
  if (!drafts && isError) {
    return (
      <Banner
        tone="info"
        className="mt-10"
        action={
          <TryAgain size="sm" onClick={() => void refetch()}>
            Fetch them again
          </TryAgain>
        }
      >
        Your drafts could not be fetched. They are kept all the same.
      </Banner>
    )
  }
  if (!drafts || drafts.length === 0) return null
  return <DraftList drafts={drafts} atMost={atMost} />
}

type DraftListProps = {
  drafts: readonly ListedDraft[]
  /** The number of drafts for which there is room above other content; undefined if nothing follows. */
  atMost: number | undefined
}

/** The user's autosaved drafts, of all devices. */
function DraftList({ drafts, atMost = SHOWN }: DraftListProps) {
  const [isOpen, setOpen] = useState(false)
  const now = useNow()
  const box = useRef<HTMLElement>(null)
  const shown = isOpen ? drafts : drafts.slice(0, Math.min(SHOWN, atMost))
  const rest = drafts.length - shown.length

  function showAll() {
    setOpen(true)
    // The pressed button is removed.
    box.current?.focus({ preventScroll: true })
  }

  return (
    <section ref={box} tabIndex={-1} aria-label="Drafts" className="my-10 outline-none first:mt-0">
      <div className="flex items-center justify-between gap-4 border-b border-line pb-1">
        <h2 className="text-sm/8 font-semibold text-muted">Drafts</h2>
        {rest > 0 && (
          <Button size="sm" variant="quiet" className="-mr-3" onClick={showAll}>
            {`Show ${rest} more`}
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line border-b border-line">
        {shown.map((draft) => (
          <DraftRow key={draft._id} draft={draft} now={now} />
        ))}
      </ul>
    </section>
  )
}

type DraftRowProps = { draft: ListedDraft; now: number }

/** A draft on one line if there is space: its kind, its milestone, when it was saved, and its actions. */
function DraftRow({ draft, now }: DraftRowProps) {
  const discard = useDiscard()
  const name = draftName(draft)
  const verb = draft.canEdit ? 'Continue' : 'Use elsewhere'

  return (
    <li className="flex flex-wrap items-center justify-end gap-x-4 gap-y-1.5 py-2.5">
      <div className="min-w-0 flex-1 basis-44 gap-x-3 sm:flex sm:items-baseline">
        <p
          dir="auto"
          className="max-w-full font-reading font-medium max-sm:line-clamp-2 sm:max-w-1/2 sm:shrink-0 sm:truncate"
        >
          {name}
        </p>
        <p className="min-w-0 flex-1 text-sm text-muted max-sm:line-clamp-2 sm:truncate">
          <Origin draft={draft} />
        </p>
        <RelativeTime
          at={draft.savedAt}
          now={now}
          className="shrink-0 text-sm whitespace-nowrap text-faint tabular-nums"
        />
      </div>
      <div className="flex items-center gap-1">
        {!draft.canEdit && <CopyDraft draftId={draft._id} />}
        <Button size="sm" aria-label={`${verb} ${name}`} onClick={() => compose(compositionOf(draft))}>
          {verb}
        </Button>
        <IconButton
          label={`Discard ${name}`}
          icon={<Trash2 />}
          size="sm"
          danger
          className="-mr-2"
          onClick={() => void discard(draft._id)}
        />
      </div>
    </li>
  )
}

function Origin({ draft: { entry, milestone, project, canEdit } }: { draft: ListedDraft }) {
  if (!project || !milestone) return 'What it was written for was deleted, or is no longer shared with you'
  return (
    <>
      <span className="max-sm:sr-only">{entry ? 'Change of an entry in ' : 'New entry in '}</span>
      <bdi>{project.title}</bdi> / <bdi>{milestone.title}</bdi>
      {!canEdit && ', where you can no longer write'}
    </>
  )
}

function compositionOf({ _id, entry, milestone, project, canEdit }: ListedDraft) {
  if (!project || !milestone || !canEdit) return { draftId: _id }
  const target = { projectId: project._id, milestoneId: milestone._id }
  return entry ? { ...target, entryId: entry._id } : { ...target, draftId: _id }
}

/** Copies the text of a draft that cannot be saved anywhere. */
function CopyDraft({ draftId }: { draftId: string }) {
  const client = useQueryClient()
  const [content, setContent] = useState<string | null>(null)
  const [isFetching, setFetching] = useState(false)
  const box = useRef<HTMLDivElement>(null)

  async function fetchText() {
    setFetching(true)
    try {
      const draft = await readDraft(draftId)
      if (draft) show(draft.content)
      else reportGone(client)
    } catch {
      toast.error('The text could not be fetched. Check your connection and try again.')
    } finally {
      setFetching(false)
    }
  }

  function show(text: string) {
    const hasFocus = box.current?.contains(document.activeElement)
    flushSync(() => setContent(text))
    // The pressed button was replaced.
    if (hasFocus) box.current?.querySelector('button')?.focus({ preventScroll: true })
  }

  return (
    <div ref={box}>
      {content === null ? (
        <Button size="sm" variant="quiet" busy={isFetching} onClick={() => void fetchText()}>
          Fetch text
        </Button>
      ) : (
        <CopyButton text={content} label="Copy content" />
      )}
    </div>
  )
}
