import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page, PageHeader } from '#web/ui/page.tsx'

const HEADING = 'My Collaborations'

/** The projects that others invited the reader to; nobody can be invited, so there are none. */
export default function MyCollaborationsScreen() {
  return (
    <Page>
      <ScreenTitle>{HEADING}</ScreenTitle>
      <PageHeader title={HEADING} lede="Projects you're collaborating on with other team members" />
      <EmptyState
        title="No Collaborations Yet"
        action={<LinkButton to="/dashboard">View My Projects</LinkButton>}
      >
        Invitations to other people's projects will appear here.
      </EmptyState>
    </Page>
  )
}
