import type { ReactNode } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { ErrorScreen } from '#web/shell/error-screen.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'

type PublicPageErrorProps = {
  error: unknown
  title: string
  /** Another link, beside the one to the home page. */
  action?: ReactNode
  children: string
}

/** Replaces a public page that failed: a not-found message, or the general error screen. */
export function PublicPageError({ error, title, action, children }: PublicPageErrorProps) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  useFailureToast(isMissing ? null : error, 'Failed to fetch public project')
  if (!isMissing) return <ErrorScreen error={error} />
  return (
    <Page width="narrow">
      <ScreenTitle>{title}</ScreenTitle>
      <NoIndex />
      <EmptyState
        drawing="signpost"
        heading="h1"
        title={title}
        action={
          <div className="flex flex-wrap justify-center gap-2.5">
            {action}
            <LinkButton to="/">Back to Home</LinkButton>
          </div>
        }
      >
        {children}
      </EmptyState>
    </Page>
  )
}
