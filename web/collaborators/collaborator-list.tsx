import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useKeepFocus } from '#web/ui/use-keep-focus.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { CollaboratorRow } from './collaborator-row.tsx'
import { useCollaborators } from './queries.ts'

type CollaboratorListProps = {
  projectId: string
  /** Whose removal is being asked about. */
  askingId: string | null
  onAsk: (collaboratorId: string | null) => void
}

/** Everybody who works on a project or was asked to. */
export function CollaboratorList({ projectId, askingId, onAsk }: CollaboratorListProps) {
  const { collaborators, isPending, isError, refetch } = useCollaborators(projectId)
  const list = useRef<HTMLElement>(null)
  useKeepFocus(list, collaborators.length)

  function content() {
    if (isPending) return <ComingCollaborators />
    if (collaborators.length === 0) return <NoCollaborators onRetry={isError ? refetch : undefined} />
    return (
      <ul className="divide-y divide-line border-y border-line">
        {collaborators.map((collaborator) => (
          <CollaboratorRow
            key={collaborator._id}
            projectId={projectId}
            collaborator={collaborator}
            isAsking={collaborator._id === askingId}
            onAsk={(asks) => onAsk(asks ? collaborator._id : null)}
          />
        ))}
      </ul>
    )
  }

  return (
    <section ref={list} tabIndex={-1} aria-labelledby="collaborators" className="outline-none">
      <h3 id="collaborators" className="mb-2 text-sm font-semibold">
        Collaborators
      </h3>
      {content()}
    </section>
  )
}

function NoCollaborators({ onRetry }: { onRetry: (() => Promise<unknown>) | undefined }) {
  return (
    <div className="rounded-lg border border-dashed border-line px-4 py-8 text-center">
      <p className="text-muted">No collaborators yet. Whom you invite appears here.</p>
      {onRetry && (
        <Button className="mt-4" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  )
}

function ComingCollaborators() {
  return (
    <output className="flex flex-col gap-3">
      <VisuallyHidden>Loading collaborators</VisuallyHidden>
      {Array.from({ length: 3 }, (_, index) => (
        <Skeleton key={index} className="h-16" />
      ))}
    </output>
  )
}
