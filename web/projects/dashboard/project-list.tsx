import type { ReactNode } from 'react'
import type { Project } from '#contract/projects.ts'
import { CreateProjectDialog } from '#web/projects/dialogs.ts'
import type { useMyProjects } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'

const gridClass = 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3'

type ProjectListProps = {
  query: ReturnType<typeof useMyProjects>
  term: string
  onClearTerm: () => void
  onCreate: () => void
  renderCard: (project: Project) => ReactNode
}

/** The projects as cards, or the skeleton, the failure or the empty state. */
export function ProjectList({ query, term, onClearTerm, onCreate, renderCard }: ProjectListProps) {
  if (query.isPending) return <ProjectsSkeleton />
  if (!query.data) {
    return (
      <EmptyState
        title="Your projects could not be fetched"
        action={<Button onClick={() => void query.refetch()}>Try Again</Button>}
      >
        They are safe on the server; only the way there failed.
      </EmptyState>
    )
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        action={
          <Button variant="primary" {...CreateProjectDialog.near} onClick={onCreate}>
            Create Project
          </Button>
        }
      >
        You don't have any projects yet. Create your first project to get started!
      </EmptyState>
    )
  }
  const found = matching(query.data, term)
  if (found.length === 0) {
    return (
      <EmptyState action={<Button onClick={onClearTerm}>Clear Search</Button>}>
        No projects found matching "{term}"
      </EmptyState>
    )
  }
  return (
    <ul className={gridClass}>
      {found.map((project) => (
        <li key={project._id}>{renderCard(project)}</li>
      ))}
    </ul>
  )
}

function ProjectsSkeleton() {
  return (
    <div className={gridClass}>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-52 rounded-lg" />
      ))}
    </div>
  )
}

type Searchable = { title: string; description: string }

/** Returns what contains the term in its title or description, ignoring case; a blank term matches everything. */
export function matching<T extends Searchable>(list: readonly T[], term: string): readonly T[] {
  const wanted = term.trim().toLowerCase()
  if (wanted === '') return list
  return list.filter(
    ({ title, description }) =>
      title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  )
}
