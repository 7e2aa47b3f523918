import { useEffect } from 'react'
import { toast } from '#web/ui/toast.ts'
import { serverMessage } from './api-error.ts'

/** Says once for each failure that something could not be fetched. */
export function useFailureToast(error: unknown, text: string): void {
  useEffect(() => {
    if (error) toast.error(text)
  }, [error, text])
}

/** Says why something was refused: in the server's words, or in ours where it said nothing. */
export function toastRefusal(error: unknown, otherwise: string): void {
  toast.error(serverMessage(error) ?? otherwise)
}
