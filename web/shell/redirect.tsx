import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { useNextLocation } from './opening-screen.tsx'

type RedirectProps = {
  to: string
  state: unknown
  /** What is said where it could not be opened. */
  failure: string
}

/** Redirects to another screen, and offers to try again where its code could not be fetched. */
export function Redirect({ to, state, failure }: RedirectProps) {
  const navigate = useNavigate()
  const isOpening = useNextLocation() !== null
  const [wasOpening, setWasOpening] = useState(isOpening)
  const [hasFailed, setFailed] = useState(false)
  if (isOpening !== wasOpening) {
    setWasOpening(isOpening)
    setFailed(hasFailed || wasOpening)
  }
  return (
    <>
      <title>Milepost</title>
      <Navigate to={to} state={state} replace />
      {hasFailed && (
        <EmptyState
          drawing="broken"
          heading="h1"
          title={failure}
          action={<TryAgain busy={isOpening} onClick={() => void navigate(to, { state, replace: true })} />}
        >
          Check your connection and try again.
        </EmptyState>
      )}
    </>
  )
}
