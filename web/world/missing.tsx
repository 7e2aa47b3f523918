import type { ReactNode } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { ErrorScreen } from '#web/shell/error-screen.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

type MissingProps = {
  error: unknown
  title: string
  /** A way on, beside the way home. */
  action?: ReactNode
  children: string
}

/** In place of a public page that failed: what is missing, or the shell's words where something else went wrong. */
export function Missing({ error, title, action, children }: MissingProps) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  useFailureToast(isMissing ? null : error, 'Failed to fetch public project')
  if (!isMissing) return <ErrorScreen error={error} />
  return (
    <Page width="narrow">
      <ScreenTitle>{title}</ScreenTitle>
      <NoIndex />
      <EmptyState
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
