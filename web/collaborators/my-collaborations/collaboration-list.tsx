import type { useMyCollaborations } from '#web/collaborators/queries.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { CollaborationCard } from './collaboration-card.tsx'

const gridClass = 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3'

type CollaborationListProps = {
  query: ReturnType<typeof useMyCollaborations>
  search: string
  onClearSearch: () => void
}

/** The user's collaborations as cards, or a loading, error or empty state. */
export function CollaborationList({ query, search, onClearSearch }: CollaborationListProps) {
  if (query.isPending) return <CollaborationsSkeleton />
  if (!query.data) {
    return (
      <EmptyState
        title="Your collaborations could not be fetched"
        action={
          <Button busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        Nothing is lost. Check your connection and try again.
      </EmptyState>
    )
  }
  const { collaborations } = query.data
  if (collaborations.length === 0 && search.trim() !== '') {
    return (
      <EmptyState action={<Button onClick={onClearSearch}>Clear Search</Button>}>
        No collaborations found matching "{search}"
      </EmptyState>
    )
  }
  if (collaborations.length === 0) return <NoCollaborations />
  return (
    <ul className={gridClass}>
      {collaborations.map((collaboration) => (
        <li key={collaboration._id}>
          <CollaborationCard collaboration={collaboration} />
        </li>
      ))}
    </ul>
  )
}

function NoCollaborations() {
  return (
    <EmptyState
      title="No Collaborations Yet"
      action={<LinkButton to="/dashboard">View My Projects</LinkButton>}
    >
      Invitations to other people's projects will appear here.
    </EmptyState>
  )
}

function CollaborationsSkeleton() {
  return (
    <output className={gridClass}>
      <VisuallyHidden>Loading collaborations</VisuallyHidden>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-56 rounded-lg" />
      ))}
    </output>
  )
}
