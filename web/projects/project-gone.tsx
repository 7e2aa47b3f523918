import { ScreenTitle } from '#web/head/screen-title.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'

/** The screen of a project that is not there, or not for this person. */
export function ProjectGone() {
  return (
    <Page>
      <ScreenTitle>Project not found</ScreenTitle>
      <EmptyState
        drawing="signpost"
        heading="h1"
        title="Project not found"
        action={<LinkButton to="/dashboard">Back to Dashboard</LinkButton>}
      >
        It may have been deleted, or is no longer shared with you.
      </EmptyState>
    </Page>
  )
}
