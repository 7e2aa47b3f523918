import type { Milestone } from '#contract/milestones.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { useDeleteMilestone } from './mutations.ts'

type DeleteMilestoneProps = { projectId: string; milestone: Milestone; onClose: () => void }

/** Confirms the deletion of a milestone and its entries. */
export function DeleteMilestone({ projectId, milestone, onClose }: DeleteMilestoneProps) {
  const { mutate } = useDeleteMilestone(projectId)

  function confirm() {
    mutate(milestone)
    onClose()
  }

  return (
    <ConfirmDialog
      question="Are you sure you want to delete this milestone?"
      detail={
        <>
          “<bdi>{milestone.title}</bdi>” and all its entries go to the trash.
        </>
      }
      verb="Delete"
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
