import { useEffect } from 'react'
import { toast } from '#web/ui/feedback/toast.tsx'
import { serverMessage } from './api-error.ts'

/** Shows a toast once for each failure to fetch something. */
export function useFailureToast(error: unknown, text: string): void {
  useEffect(() => {
    if (error) toast.error(text)
  }, [error, text])
}

/** Shows why something was refused: the server's message, or `otherwise` without one. */
export function toastError(error: unknown, otherwise: string): void {
  toast.error(serverMessage(error) ?? otherwise)
}
