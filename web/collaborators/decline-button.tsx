import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Question } from '#web/ui/dialog-on-demand.tsx'

type DeclineButtonProps = {
  size: 'sm' | 'md'
  busy: boolean
  disabled: boolean
  describedBy?: string
  className?: string
  onDecline: () => void
}

/** Declines an invitation, after a question. */
export function DeclineButton({ describedBy, onDecline, ...rest }: DeclineButtonProps) {
  const [isAsking, setAsking] = useState(false)

  function confirm() {
    setAsking(false)
    onDecline()
  }

  return (
    <>
      <Button {...rest} {...Question.near} aria-describedby={describedBy} onClick={() => setAsking(true)}>
        Decline
      </Button>
      {isAsking && (
        <Question
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
