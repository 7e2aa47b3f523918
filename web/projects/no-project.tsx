import { ScreenTitle } from '#web/head/screen-title.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

const toDashboard = <LinkButton to="/dashboard">Back to Dashboard</LinkButton>

/** There is no such project, or none any more. */
export function ProjectNotFound() {
  return (
    <>
      <ScreenTitle>Project not found</ScreenTitle>
      <EmptyState heading="h1" title="Project not found" action={toDashboard}>
        It may have been deleted.
      </EmptyState>
    </>
  )
}

/** The reader has no right to view the project, or none any more, or it cannot be found out. */
export function AccessDenied() {
  return (
    <>
      <ScreenTitle>Access Denied</ScreenTitle>
      <EmptyState heading="h1" title="Access Denied" action={toDashboard}>
        You don't have permission to view this project.
      </EmptyState>
    </>
  )
}

/** The project could not be fetched, which says nothing about whether it is there. */
export function ProjectFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      <ScreenTitle>Project</ScreenTitle>
      <EmptyState
        heading="h1"
        title="This project could not be fetched"
        action={
          <div className="flex gap-2.5">
            {toDashboard}
            <Button variant="primary" onClick={onRetry}>
              Try again
            </Button>
          </div>
        }
      >
        Nothing is lost. Check your connection and try again.
      </EmptyState>
    </>
  )
}
