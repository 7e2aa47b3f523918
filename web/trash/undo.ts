import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import type { CallInput } from '#contract/call.ts'
import type { ClientCalls } from '#contract/calls.ts'
import { ApiError } from '#web/api/api-error.ts'
import { change } from '#web/api/change.ts'
import { isDialogOpen } from '#web/ui/controls/keys.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

type Deleting = 'deleteProject' | 'deleteMilestone' | 'deleteEntry'

/**
 * Deletes something, and returns the id under which it can be restored; null where the server names none, or where `isGone`
 * finds it gone though every response was lost.
 */
export async function deleting<N extends Deleting>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  isGone: () => Promise<boolean>,
): Promise<string | null> {
  let deletionId: string | null = null
  await change(name, input, {
    isDone: isGone,
    onHeaders: (headers) => {
      deletionId = headers.get('deletion-id')
    },
  })
  return deletionId
}

/**
 * Says that something was deleted, and offers for some seconds to take that back: pressing Undo restores it and leads back
 * to where it was deleted, unless the person has gone on to something else than the page that deleting it led to.
 */
export function useUndoOffer() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const place = pathname + search

  async function undo(deletionId: string, ledTo?: string) {
    const isDone = async () => !(await (await import('./mutations.ts')).isInTrash(deletionId))
    try {
      await change('restoreDeletion', { params: { deletionId }, body: {} }, { isDone })
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        // It was restored or deleted for ever elsewhere.
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
    void client.invalidateQueries()
    const here = window.location.pathname + window.location.search
    const leadsBack = here === ledTo && !isDialogOpen()
    if (leadsBack) await navigate(place)
    const show = { label: 'Show it', run: () => void navigate(place) }
    toast.success('Restored', leadsBack || here === place ? undefined : show)
  }

  return (text: string, deletionId: string | null, ledTo?: string): void =>
    toast.success(
      text,
      deletionId === null ? undefined : { label: 'Undo', run: () => void undo(deletionId, ledTo) },
    )
}
