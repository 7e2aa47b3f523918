import { useEffect } from 'react'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ApiError, serverMessage } from './api-error.ts'
import { readToken } from './token.ts'

/** Shows a toast once for each failure to fetch something. */
export function useFailureToast(error: unknown, text: string): void {
  useEffect(() => {
    if (error) toastFailure(error, text)
  }, [error, text])
}

/** Shows a failure in a toast, unless the session has ended, which the sign-in page shows, or the person did not confirm who they are. */
export function toastFailure(error: unknown, text: string): void {
  if (error instanceof ApiError && error.code === 'proof_required') return
  if (error instanceof ApiError && error.code === 'not_signed_in' && readToken() === null) return
  toast.error(text)
}

/** Shows the reason for a refusal in a toast: the server's message, or `otherwise` without one. */
export function toastError(error: unknown, otherwise: string): void {
  toastFailure(error, serverMessage(error) ?? otherwise)
}
