import { data } from 'react-router'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

export function loader() {
  return data(null, { status: 404 })
}

/** Within the app nothing needs to be asked: the path is known to lead nowhere. */
export function clientLoader() {
  return null
}

/** Any path that is no screen of ours. */
export default function NotFoundScreen() {
  return (
    <Page width="narrow" className="text-center">
      <ScreenTitle>Page Not Found</ScreenTitle>
      <NoIndex />
      <h1 className="text-3xl font-semibold tracking-tight">Page Not Found</h1>
      <EmptyState
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
