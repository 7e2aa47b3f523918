import type { MouseEvent } from 'react'
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** Replaces a screen that failed. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  const { revalidate } = useRevalidator()

  /** Retries without a page load: if the server is unreachable, the browser would show its own error page instead. */
  function tryAgain(event: MouseEvent) {
    event.preventDefault()
    event.currentTarget.closest('main')?.focus({ preventScroll: true }) // this link is removed
    void revalidate()
  }

  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  return (
    <Page width="narrow">
      <ScreenTitle>Something went wrong</ScreenTitle>
      <NoIndex />
      <EmptyState
        drawing="broken"
        heading="h1"
        title="Something went wrong"
        action={
          <div className="flex flex-wrap justify-center gap-2.5">
            <LinkButton to={pathname + search} reloadDocument variant="primary" onClick={tryAgain}>
              Try again
            </LinkButton>
            <LinkButton to="/" reloadDocument>
              Back to Home
            </LinkButton>
          </div>
        }
      >
        The connection broke off or something failed on our side. Trying again often helps.
      </EmptyState>
    </Page>
  )
}
