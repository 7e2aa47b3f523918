import { useState } from 'react'
import { ApiError, type ApiErrorCode } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'

/** How far a mailed link has led. `elsewhere`: it was sent for another account. */
export type Stage = 'asking' | 'confirmed' | 'expired' | 'sent' | 'elsewhere'

const stageOfRefusal: { [code in ApiErrorCode]?: Stage } = {
  expired: 'expired',
  not_found: 'expired',
  wrong_account: 'elsewhere',
  conflict: 'confirmed',
}

/** Confirms an address by the token of a mailed link, or has another link sent. */
export function useVerification(token: string) {
  const [stage, setStage] = useState<Stage>('asking')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  async function attempt(work: Promise<void>, next: Stage) {
    setBusy(true)
    setFault(null)
    try {
      await work
      setStage(next)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const stageNow = stageOfRefusal[error.code]
      if (stageNow === undefined || stageNow === stage) setFault(error.message)
      else setStage(stageNow)
    } finally {
      setBusy(false)
    }
  }

  return {
    stage,
    isBusy,
    fault,
    confirm: () => attempt(request('verifyEmail', { body: { token } }), 'confirmed'),
    sendAnother: () => attempt(request('sendVerificationEmail', {}), 'sent'),
  }
}
