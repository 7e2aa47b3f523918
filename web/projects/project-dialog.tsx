import { type Project, type ProjectFields, projectFields } from '#contract/projects.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useSavingForm } from '#web/forms/use-saving-form.ts'
import { Checkbox, Field, TextArea, TextInput } from '#web/ui/controls/field.tsx'
import { useCreateProject, useUpdateProject } from './mutations.ts'

const labels = {
  title: 'Project Title',
  description: 'Description',
  isPublic: 'Make this project publicly viewable',
}
const schema = projectFields.omit({ visibility: true })
const blank = { title: '', description: '', isPublic: false }

type ProjectFormProps = {
  name: string
  title: string
  verb: string
  original?: Project
  save: (fields: ProjectFields, version: number) => Promise<unknown>
  onClose: () => void
}

function ProjectForm({ name, title, verb, original, save, onClose }: ProjectFormProps) {
  const saving = useSavingForm({ name, schema, blank, original, save, onClose })
  const { register, formState } = saving.form
  return (
    <FormDialog title={title} verb={verb} saving={saving} labels={labels}>
      <Field label={labels.title} error={formState.errors.title?.message}>
        <TextInput {...register('title')} autoComplete="off" />
      </Field>
      <Field label={labels.description} error={formState.errors.description?.message}>
        <TextArea {...register('description')} className="max-h-72" />
      </Field>
      <Checkbox
        {...register('isPublic')}
        label={labels.isPublic}
        hint="Anyone with the link can then read it."
      />
    </FormDialog>
  )
}

/** Starts a project. */
export function CreateProjectDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useCreateProject()
  return (
    <ProjectForm
      name={formNames.newProject()}
      title="Create New Project"
      verb="Create Project"
      save={(fields) => mutateAsync(fields)}
      onClose={onClose}
    />
  )
}

type EditProjectDialogProps = { project: Project; onClose: () => void }

/** Changes a project's title, description or visibility. */
export function EditProjectDialog({ project, onClose }: EditProjectDialogProps) {
  const { mutateAsync } = useUpdateProject(project._id)
  return (
    <ProjectForm
      name={formNames.project(project)}
      title="Edit Project"
      verb="Update Project"
      original={project}
      save={(fields, version) => mutateAsync({ fields, version })}
      onClose={onClose}
    />
  )
}
