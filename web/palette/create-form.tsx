import { useNavigate } from 'react-router'
import { milestonePath } from '#web/entries/paths.ts'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import { CreateProjectDialog } from '#web/projects/dialogs.ts'

/** What the palette creates; of a milestone, once its project is chosen. */
export type Creation =
  | { kind: 'project' }
  | { kind: 'choose a project' }
  | { kind: 'milestone'; projectId: string }

type CreateFormProps = Exclude<Creation, { kind: 'choose a project' }> & { onClose: () => void }

/** The form of something that the palette creates. */
export function CreateForm(props: CreateFormProps) {
  const navigate = useNavigate()
  const { onClose } = props
  if (props.kind === 'project') return <CreateProjectDialog onClose={onClose} />
  const { projectId } = props
  return (
    <AddMilestoneDialog
      projectId={projectId}
      onCreated={({ _id }) => void navigate(milestonePath(projectId, _id))}
      onClose={onClose}
    />
  )
}
