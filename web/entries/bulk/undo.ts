import { useQueryClient } from '@tanstack/react-query'
import { watchSession } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

/** Shows a toast that several entries were changed, with an Undo button for some seconds. `after` runs once it is undone. */
export function useBulkUndo(projectId: string) {
  const client = useQueryClient()

  async function undo(bulkChangeId: string, after?: () => void) {
    const isSessionOver = watchSession()
    try {
      await change('undoBulkChange', { params: { projectId, bulkChangeId } }, { isBrief: true })
    } catch (error) {
      if (!isSessionOver()) toastError(error, 'This could not be undone')
      return
    }
    if (isSessionOver()) return
    void client.invalidateQueries()
    toast.success('Undone')
    after?.()
  }

  return (text: string, bulkChangeId: string | null, after?: () => void): void =>
    toast.success(
      text,
      bulkChangeId === null ? undefined : { label: 'Undo', run: () => void undo(bulkChangeId, after) },
    )
}
