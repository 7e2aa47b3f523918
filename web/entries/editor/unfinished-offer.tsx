import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedDraft } from '#contract/drafts.ts'
import { nameOf, useDiscard } from '#web/drafts/mutations.ts'
import { draftsQuery } from '#web/drafts/queries.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Time } from '#web/ui/layout/time.tsx'

type UnfinishedOfferProps = { milestoneId: string; onContinue: (draftId: string) => void }

/**
 * Offers the last new entry that this person left unfinished in a milestone, where this browser keeps none. The server is
 * asked once, while the form can be written in.
 */
export function UnfinishedOffer({ milestoneId, onContinue }: UnfinishedOfferProps) {
  const personId = useSession().user?._id
  const discard = useDiscard(personId)
  const [isGone, setGone] = useState(false)
  const { data: draft } = useQuery({
    queryKey: ['draft to offer', personId, milestoneId],
    // The list itself is fetched again after each save of a draft.
    queryFn: async ({ client }) => {
      const drafts = await client.fetchQuery({ ...draftsQuery(personId), staleTime: 0 })
      return drafts.find((one) => isUnfinished(one, milestoneId)) ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (!draft || isGone) return null
  const name = nameOf(draft)
  return (
    <Banner tone="info">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="min-w-0 wrap-anywhere">
          Unfinished: “<bdi>{name}</bdi>”, <Time iso={draft.savedAt} format="datetime" />
        </p>
        <span className="flex gap-2">
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

const isUnfinished = ({ entry, milestone, canEdit }: ListedDraft, milestoneId: string) =>
  entry === null && canEdit && milestone?._id === milestoneId
