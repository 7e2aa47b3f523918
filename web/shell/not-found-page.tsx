import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'

/** The page of every unknown path. */
export function NotFoundPage() {
  return (
    <Page width="narrow">
      <ScreenTitle>Page Not Found</ScreenTitle>
      <NoIndex />
      <EmptyState
        drawing="signpost"
        heading="h1"
        title="Page Not Found"
        action={
          <LinkButton to="/" variant="primary">
            Back to Home
          </LinkButton>
        }
      >
        The page you are looking for does not exist or has been moved.
      </EmptyState>
    </Page>
  )
}
