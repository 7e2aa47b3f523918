import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import type { ClientCalls } from '#contract/calls.ts'
import type { CallInput } from '#contract/parts/call.ts'
import { ApiError } from '#web/api/api-error.ts'
import { watchSession } from '#web/api/client.ts'
import { isDialogOpen } from '#web/ui/controls/keys.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { change } from './change.ts'

type Deleting = 'deleteProject' | 'deleteMilestone' | 'deleteEntry'

/** Deletes a resource, and returns the id of the deletion, by which it can be restored; null if the server never had it. */
export async function deleting<N extends Deleting>(
  name: N,
  input: CallInput<ClientCalls[N]>,
): Promise<string | null> {
  const deletionId: unknown = await change(name, input)
  return typeof deletionId === 'string' ? deletionId : null
}

/**
 * Shows a toast that something was deleted, with an Undo button for some seconds. It restores the resource and returns to the
 * page of the deletion, unless the user has left the page to which deleting led.
 */
export function useUndoOffer() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const origin = pathname + search

  async function undo(deletionId: string, destination?: string) {
    const isSessionOver = watchSession()
    try {
      await change('restoreDeletion', { params: { deletionId }, body: {} })
    } catch (error) {
      if (isSessionOver()) return
      if (error instanceof ApiError && error.status === 404) {
        // It was restored or permanently deleted elsewhere.
        void client.invalidateQueries()
        toast.error('This is no longer in the trash.')
        return
      }
      toast.error('This could not be restored right now. It is in the trash.', {
        label: 'Open the trash',
        run: () => void navigate('/trash'),
      })
      return
    }
    if (isSessionOver()) return
    void client.invalidateQueries()
    const here = window.location.pathname + window.location.search
    const isUnchanged = here === destination && !isDialogOpen()
    if (isUnchanged) await navigate(origin)
    const show = { label: 'Show it', run: () => void navigate(origin) }
    toast.success('Restored', isUnchanged || here === origin ? undefined : show)
  }

  return (text: string, deletionId: string | null, destination?: string): void =>
    toast.success(
      text,
      deletionId === null ? undefined : { label: 'Undo', run: () => void undo(deletionId, destination) },
    )
}
