import type { MouseEvent } from 'react'
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyDrawing } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import NotFoundScreen from './not-found-screen.tsx'

/** Replaces a screen that failed. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  const { revalidate } = useRevalidator()

  /** Without leaving the page: a browser that cannot reach the server would show its own error instead. */
  function tryAgain(event: MouseEvent) {
    event.preventDefault()
    void revalidate()
  }

  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />
  return (
    <Page width="reading" className="text-center">
      <ScreenTitle>Something went wrong</ScreenTitle>
      <NoIndex />
      <h1 className="text-3xl font-semibold tracking-tight">Something went wrong</h1>
      <div className="mt-8 flex justify-center">
        <EmptyDrawing of="broken" />
      </div>
      <p className="mt-6 text-muted">
        The connection broke off or something failed on our side. Trying again often helps.
      </p>
      <div className="mt-8 flex justify-center gap-3">
        <LinkButton to={pathname + search} reloadDocument variant="primary" onClick={tryAgain}>
          Try again
        </LinkButton>
        <LinkButton to="/" reloadDocument>
          Back to Home
        </LinkButton>
      </div>
    </Page>
  )
}
