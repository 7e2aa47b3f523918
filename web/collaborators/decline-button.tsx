import { useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { LazyConfirmDialog } from '#web/ui/dialogs/on-demand.tsx'

type DeclineButtonProps = {
  size: 'sm' | 'md'
  busy: boolean
  disabled: boolean
  describedBy?: string
  className?: string
  onDecline: () => void
}

/** Declines an invitation, after a confirmation. */
export function DeclineButton({ describedBy, onDecline, ...rest }: DeclineButtonProps) {
  const [isAsking, setAsking] = useState(false)

  function confirm() {
    setAsking(false)
    onDecline()
  }

  return (
    <>
      <Button
        {...rest}
        {...LazyConfirmDialog.preloadProps}
        aria-describedby={describedBy}
        onClick={() => setAsking(true)}
      >
        Decline
      </Button>
      {isAsking && (
        <LazyConfirmDialog
          question="Are you sure you want to decline this invitation?"
          detail="To join after all, you would need a new one."
          verb="Decline"
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
