import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { DraftList } from './draft-list.tsx'
import type { useMyDrafts } from './queries.ts'

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
