import { Check } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '#web/api/api-error.ts'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { AnswerFault } from './answer-fault.tsx'
import { DeclineButton } from './decline-button.tsx'
import { useAcceptInvitation, useDeclineInvitation } from './my-mutations.ts'
import { WaysIn } from './ways-in.tsx'

type InvitationAnswerProps = {
  inviteToken: string
  onAccepted: (redirectTo: string) => void
  onDeclined: () => void
}

/** The two answers to an invitation; accepting takes an account, declining the link alone. */
export function InvitationAnswer({ inviteToken, onAccepted, onDeclined }: InvitationAnswerProps) {
  const { status } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const acceptance = useAcceptInvitation(inviteToken)
  const refusal = useDeclineInvitation(inviteToken)
  const isActing = acceptance.isPending || refusal.isPending
  const isSignedIn = status === 'signed-in'

  function goToLogin() {
    void navigate(loginPath(pathname))
  }

  function accept() {
    refusal.reset()
    acceptance.mutate(undefined, {
      onSuccess: ({ redirectTo }) => onAccepted(redirectTo),
      onError: (error) => error instanceof ApiError && error.code === 'not_signed_in' && goToLogin(),
    })
  }

  function decline() {
    acceptance.reset()
    refusal.mutate(undefined, { onSuccess: onDeclined })
  }

  return (
    <>
      <AnswerFault error={isActing ? null : (acceptance.error ?? refusal.error)} />
      <div className="mt-6 flex flex-wrap gap-2.5">
        <Button
          variant="primary"
          icon={<Check />}
          className="flex-1 max-sm:px-2"
          disabled={refusal.isPending}
          busy={acceptance.isPending}
          onClick={isSignedIn ? accept : goToLogin}
        >
          Accept Invitation
        </Button>
        <DeclineButton
          size="md"
          className="flex-1"
          disabled={acceptance.isPending}
          busy={refusal.isPending}
          onDecline={decline}
        />
      </div>
      <WaysIn path={pathname} />
    </>
  )
}
