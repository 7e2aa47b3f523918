import { useEffect } from 'react'
import { toast } from '#web/ui/toast.ts'

/** Says once for each failure that something could not be fetched. */
export function useFailureToast(error: unknown, text: string): void {
  useEffect(() => {
    if (error) toast.error(text)
  }, [error, text])
}
