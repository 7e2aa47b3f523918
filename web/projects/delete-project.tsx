import type { Project } from '#contract/projects.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { useDeleteProject } from './mutations.ts'

type DeleteProjectProps = { project: Project; onClose: () => void }

/** Confirms the deletion of a project and its content. */
export function DeleteProject({ project, onClose }: DeleteProjectProps) {
  const { mutate } = useDeleteProject()

  function confirm() {
    mutate(project)
    onClose()
  }

  return (
    <ConfirmDialog
      question="Are you sure you want to delete this project?"
      detail={
        <>
          “<bdi>{project.title}</bdi>”, its milestones and all that is written in them go to the trash.
        </>
      }
      verb="Delete"
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
