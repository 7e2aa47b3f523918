import { data } from 'react-router'
import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

const INVALID = 'Invalid Invitation'

export function loader() {
  return data(null, { status: 404 })
}

/** Within the app nothing needs to be asked: no link of ours is an invitation. */
export function clientLoader() {
  return null
}

/** Where the link of an invitation leads: nobody can be invited, so none is valid. */
export default function InvitationScreen() {
  return (
    <Page width="narrow">
      <ScreenTitle>{INVALID}</ScreenTitle>
      <EmptyState heading="h1" title={INVALID} action={<LinkButton to="/">Back to Home</LinkButton>}>
        This invitation link is invalid or has expired.
      </EmptyState>
    </Page>
  )
}
