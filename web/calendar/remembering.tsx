import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { Checkbox } from '#web/ui/controls/field.tsx'
import { calendarKey } from './queries.ts'

type RememberingProps = { projectId: string; isRemembered: boolean }

/** Whether the user's dashboard shows entries of this project on their anniversaries. */
export function Remembering({ projectId, isRemembered }: RememberingProps) {
  const choose = useRemembering()
  return (
    <Checkbox
      className="mt-10 border-t border-line pt-5"
      label="Remind me on my dashboard of what happened on this day"
      hint="For this project, and only for you."
      checked={choose.isPending ? choose.variables.isRemembered : isRemembered}
      onChange={({ target }) => choose.mutate({ projectId, isRemembered: target.checked })}
      data-print="hidden"
    />
  )
}

/** Chooses whether the user is reminded of a project. */
export function useRemembering() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ projectId, isRemembered }: RememberingProps) =>
      change('updateOnThisDay', { params: { projectId }, body: { isRemembered } }),
    onError: (error) => toastFailure(error, 'Failed to save your choice'),
    onSettled: () => client.invalidateQueries({ queryKey: calendarKey }),
  })
}
