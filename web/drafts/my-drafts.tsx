import { useQuery } from '@tanstack/react-query'
import { useSession } from '#web/identity/session.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Fetched, onDemand, reportFailedLoad } from '#web/ui/dialogs/on-demand.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { draftsQuery } from './queries.ts'

const draftList = onDemand(async () => (await import('./draft-list.tsx')).DraftList)

/** The user's drafts, if any; only then is the code of their list loaded. */
export function MyDrafts() {
  const personId = useSession().user?._id
  const { data: drafts, isError, refetch } = useQuery(draftsQuery(personId))
  // The list disappears with its last draft.
  if (!drafts && isError) {
    return (
      <Banner
        tone="info"
        className="mb-10"
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
  return <Fetched of={draftList} with={{ drafts, personId }} fallback={null} onFailed={reportFailedLoad} />
}
