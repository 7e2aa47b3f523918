import { useLocation, useNavigate } from 'react-router'
import { ApiError, type ApiErrorCode } from '#web/api/api-error.ts'
import { ConfirmationEmail } from '#web/identity/confirmation-email.tsx'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** Why an invitation could not be answered, in a red box, with the remedy where there is one. */
export function AnswerFault({ error }: { error: Error | null }) {
  if (!(error instanceof ApiError)) return null
  const Remedy = remedies[error.code]
  return (
    <Banner className="mt-6">
      <p>{error.message}</p>
      {Remedy && <Remedy />}
    </Banner>
  )
}

const remedies: { [code in ApiErrorCode]?: () => React.ReactNode } = {
  wrong_account: OtherAccount,
  unverified_address: ConfirmationEmail,
}

function OtherAccount() {
  const { signOut } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()

  async function change() {
    await signOut()
    await navigate(loginPath(pathname))
  }

  return (
    <Button size="sm" className="mt-2.5" onClick={() => void change()}>
      Sign in with another account
    </Button>
  )
}
