import { isRouteErrorResponse } from 'react-router'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { ErrorScreen } from '#web/shell/error-screen.tsx'
import { NoIndex } from '#web/shell/no-index.tsx'
import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

type MissingProps = { error: unknown; title: string; to?: string; wayOut?: string; children: string }

/** In place of a public page that failed: what is missing, or the shell's words where something else went wrong. */
export function Missing({ error, title, to = '/', wayOut = 'Back to Home', children }: MissingProps) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  useFailureToast(isMissing ? null : error, 'Failed to fetch public project')
  if (!isMissing) return <ErrorScreen error={error} />
  return (
    <Page width="narrow">
      <ScreenTitle>{title}</ScreenTitle>
      <NoIndex />
      <EmptyState heading="h1" title={title} action={<LinkButton to={to}>{wayOut}</LinkButton>}>
        {children}
      </EmptyState>
    </Page>
  )
}
