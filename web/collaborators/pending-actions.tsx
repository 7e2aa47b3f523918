import { Check } from 'lucide-react'
import { ApiError } from '#web/api/api-error.ts'
import { ConfirmationEmail } from '#web/identity/confirmation-email.tsx'
import { Button } from '#web/ui/button.tsx'
import { DeclineButton } from './decline-button.tsx'
import { useAcceptInvitation, useDeclineInvitation } from './my-mutations.ts'

type PendingActionsProps = { inviteToken: string; titleId: string }

/** Answers an invitation from its card. */
export function PendingActions({ inviteToken, titleId }: PendingActionsProps) {
  const acceptance = useAcceptInvitation(inviteToken)
  const refusal = useDeclineInvitation(inviteToken)
  const isActing = acceptance.isPending || refusal.isPending
  const fault = acceptance.error ?? refusal.error
  return (
    <>
      <div className="flex flex-wrap gap-2.5">
        <Button
          variant="primary"
          size="sm"
          icon={<Check />}
          aria-describedby={titleId}
          className="flex-1"
          disabled={isActing && !acceptance.isPending}
          busy={acceptance.isPending}
          onClick={() => acceptance.mutate()}
        >
          Accept
        </Button>
        <DeclineButton
          size="sm"
          describedBy={titleId}
          className="flex-1"
          disabled={isActing && !refusal.isPending}
          busy={refusal.isPending}
          onDecline={() => refusal.mutate()}
        />
      </div>
      {!isActing && fault instanceof ApiError && fault.code === 'unverified_address' && (
        <div className="mt-3 text-sm text-muted">
          <p>Confirm your email address first, by the link of the email that was sent to it.</p>
          <ConfirmationEmail />
        </div>
      )}
    </>
  )
}
