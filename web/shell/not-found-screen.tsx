import { data } from 'react-router'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'

export function loader() {
  return data(null, { status: 404 })
}

/** A client-side navigation needs no request, because the path is known not to exist. */
export function clientLoader() {
  return null
}

/** The screen of every unknown path. */
export default function NotFoundScreen() {
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
