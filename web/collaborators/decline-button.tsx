import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'

type DeclineButtonProps = {
  size: 'sm' | 'md'
  busy: boolean
  disabled: boolean
  describedBy?: string
  className?: string
  onDecline: () => void
}

/** Declines an invitation, after a confirmation. */
export const DeclineButton = ({ describedBy, onDecline, ...rest }: DeclineButtonProps) => (
  <ConfirmButton
    {...rest}
    aria-describedby={describedBy}
    question="Are you sure you want to decline this invitation?"
    detail="To join after all, you would need a new one."
    verb="Decline"
    onConfirm={onDecline}
  />
)
