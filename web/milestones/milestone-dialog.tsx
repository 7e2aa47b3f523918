import { type Milestone, type MilestoneFields, milestoneFields } from '#contract/milestones.ts'
import type { SendingForm } from '#web/api/saving.ts'
import { formNames } from '#web/forms/form-drafts.ts'
import { FormDialog, useSavingForm } from '#web/forms/saving-form.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { useCreateMilestone, useUpdateMilestone } from './mutations.ts'

const labels = { title: 'Title', description: 'Description', completed: 'Mark as completed' }
const schema = milestoneFields.omit({ startsOn: true, dueOn: true })
const blank = { title: '', description: '', completed: false }

type MilestoneFormProps = {
  name: string
  title: string
  verb: string
  original?: Milestone
  save: (fields: MilestoneFields, version: number, form: SendingForm) => Promise<unknown>
  onClose: () => void
}

function MilestoneForm({ name, title, verb, original, save, onClose }: MilestoneFormProps) {
  const saving = useSavingForm({ name, schema, blank, original, save, onClose })
  const { register, formState } = saving.form
  return (
    <FormDialog title={title} verb={verb} saving={saving} labels={labels}>
      <Field label={labels.title} error={formState.errors.title?.message}>
        <TextInput {...register('title')} autoComplete="off" />
      </Field>
      <Field
        label={labels.description}
        hint="One sentence is enough."
        error={formState.errors.description?.message}
      >
        <TextArea {...register('description')} className="max-h-72" />
      </Field>
      <Checkbox {...register('completed')} label={labels.completed} />
    </FormDialog>
  )
}

type AddMilestoneDialogProps = {
  projectId: string
  onCreated: (milestone: Milestone) => void
  onClose: () => void
}

/** Adds a milestone to a project. */
export function AddMilestoneDialog({ projectId, onCreated, onClose }: AddMilestoneDialogProps) {
  const { mutateAsync } = useCreateMilestone(projectId)
  return (
    <MilestoneForm
      name={formNames.newMilestone(projectId)}
      title="Add Milestone"
      verb="Create Milestone"
      save={async (body, _version, form) => onCreated(await mutateAsync({ body, form }))}
      onClose={onClose}
    />
  )
}

type EditMilestoneDialogProps = { milestone: Milestone; onClose: () => void }

/** Changes a milestone or marks it as completed. */
export function EditMilestoneDialog({ milestone, onClose }: EditMilestoneDialogProps) {
  const { mutateAsync } = useUpdateMilestone(milestone)
  return (
    <MilestoneForm
      name={formNames.milestone(milestone)}
      title="Edit Milestone"
      verb="Update Milestone"
      original={milestone}
      save={(fields, version, form) => mutateAsync({ fields, version, form })}
      onClose={onClose}
    />
  )
}
