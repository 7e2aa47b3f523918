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

/** Shows that something failed. Where the session has ended, the sign-in page says so. */
export function toastFailure(error: unknown, text: string): void {
  if (error instanceof ApiError && error.code === 'not_signed_in' && readToken() === null) return
  toast.error(text)
}

/** Shows why something was refused: the server's message, or `otherwise` without one. */
export function toastError(error: unknown, otherwise: string): void {
  toastFailure(error, serverMessage(error) ?? otherwise)
}
