import { ConfirmationEmail } from '#web/identity/confirmation-email.tsx'
import { useSession } from '#web/identity/session.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { useHiddenInvitations } from './queries.ts'

/** Says why invitations may be missing: the address they were sent to is not known to be the reader's yet. */
export function UnconfirmedAddress() {
  const { user } = useSession()
  const areHidden = useHiddenInvitations()
  if (!areHidden) return null
  return (
    <Banner tone="info">
      <p>
        Invitations to <b className="font-semibold break-words">{user?.email}</b> appear here once you have
        confirmed that address, by the link that was mailed to it.
      </p>
      <ConfirmationEmail />
    </Banner>
  )
}
