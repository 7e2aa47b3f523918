import { useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { calendarKey } from './queries.ts'

/**
 * Returns a function that chooses whether the user is reminded of a project, and whether that succeeded. It is no mutation of the
 * library, whose code the dashboard would load for it.
 */
export function useRemembering(): (projectId: string, isRemembered: boolean) => Promise<boolean> {
  const client = useQueryClient()
  return async (projectId, isRemembered) => {
    try {
      await change('updateOnThisDay', { params: { projectId }, body: { isRemembered } })
      return true
    } catch (error) {
      toastFailure(error, 'Failed to save your choice')
      return false
    } finally {
      await client.invalidateQueries({ queryKey: calendarKey })
    }
  }
}
