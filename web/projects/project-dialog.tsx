import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import {
  type Project,
  type ProjectChange,
  type ProjectFields,
  projectFields,
  VISIBILITIES,
} from '#contract/projects.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { type SavingForm, useSavingForm } from '#web/forms/use-saving-form.ts'
import type { FormChanges } from '#web/saving/form-changes.ts'
import { Checkbox, Field, TextArea } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { coverChoiceOf, ProjectCoverField } from './cover-field.tsx'
import { useCreateProject, useUpdateProject } from './mutations.ts'

const labels: { [field in keyof ProjectFields]-?: string } = {
  title: 'Project Title',
  description: 'Description',
  isPublic: 'Make this project publicly viewable',
  visibility: 'Visibility',
}

const schema = projectFields.extend({
  isPublic: projectFields.shape.isPublic.removeDefault(),
  visibility: z.enum(VISIBILITIES),
  /** The id of a file, empty for none, or the default. */
  coverFile: z.string(),
})
type Typed = z.input<typeof schema>
type Fields = z.output<typeof schema>
const blank: Typed = {
  title: '',
  description: '',
  isPublic: false,
  visibility: 'public',
  coverFile: DEFAULT_COVER,
}

/** Returns the fields of a new project; both checkboxes together determine the visibility. */
function newProjectOf({ title, description, isPublic, visibility }: Fields): Required<ProjectFields> {
  const published = visibility === 'unlisted' ? 'unlisted' : 'public'
  return { title, description, isPublic, visibility: isPublic ? published : 'private' }
}

const changeOf = (fields: Fields): Required<ProjectChange> => ({
  ...newProjectOf(fields),
  coverFile: fields.coverFile || null,
})

type ProjectFormProps = {
  name: string
  title: string
  verb: string
  original?: Project
  save: (fields: Fields, version: number, form: FormChanges) => Promise<unknown>
  onClose: () => void
}

function ProjectForm({ name, title, verb, original, save, onClose }: ProjectFormProps) {
  const addingCover = useRef<Promise<boolean>>(undefined)
  const [coverProblem, setCoverProblem] = useState<string | null>(null)
  const saving = useSavingForm<Typed, Fields>({
    name,
    schema,
    blank,
    original: original && { ...blank, ...original, coverFile: coverChoiceOf(original) },
    save,
    onClose,
    isReady: () => addingCover.current,
  })
  const { register, formState, setValue, control } = saving.form
  const coverFile = useWatch({ control, name: 'coverFile' })
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
      {original && (
        <ProjectCoverField
          project={original}
          coverFile={coverFile}
          onChange={(id) => setValue('coverFile', id, { shouldDirty: true })}
          onAdding={(added) => {
            addingCover.current = added
          }}
          problem={coverProblem}
          onProblem={setCoverProblem}
        />
      )}
      <Publicity saving={saving} />
    </FormDialog>
  )
}

/** The specified checkbox, and below it the checkbox for listing a public project. */
function Publicity({ saving: { form } }: { saving: SavingForm<Typed, Fields> }) {
  const { register, setValue, control } = form
  const [isPublic, visibility] = useWatch({ control, name: ['isPublic', 'visibility'] })
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        {...register('isPublic')}
        label={labels.isPublic}
        hint="Anyone with the link can then read its milestones, its published entries with their pictures, and the names of their authors. Drafts stay private."
      />
      {isPublic && (
        <Checkbox
          className="pl-6.5"
          label="Unlisted"
          hint="Anyone with the link can read it; it is not listed and not indexed."
          checked={visibility === 'unlisted'}
          onChange={({ target }) =>
            setValue('visibility', target.checked ? 'unlisted' : 'public', { shouldDirty: true })
          }
        />
      )}
    </div>
  )
}

/** Creates a project. */
export function CreateProjectDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useCreateProject()
  return (
    <ProjectForm
      name={formNames.newProject()}
      title="Create New Project"
      verb="Create Project"
      save={(fields, version, form) => mutateAsync({ fields: newProjectOf(fields), version, form })}
      onClose={onClose}
    />
  )
}

type EditProjectDialogProps = { project: Project; onClose: () => void }

/** Changes a project's title, description, cover or visibility. */
export function EditProjectDialog({ project, onClose }: EditProjectDialogProps) {
  const { mutateAsync } = useUpdateProject(project._id)
  return (
    <ProjectForm
      name={formNames.project(project)}
      title="Edit Project"
      verb="Update Project"
      original={project}
      save={(fields, version, form) => mutateAsync({ fields: changeOf(fields), version, form })}
      onClose={onClose}
    />
  )
}
