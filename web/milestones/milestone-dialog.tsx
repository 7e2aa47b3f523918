import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import {
  areDaysInOrder,
  DUE_BEFORE_START,
  type Milestone,
  type MilestoneFields,
  milestoneFields,
} from '#contract/milestones.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useSavingForm } from '#web/forms/use-saving-form.ts'
import type { FormChanges } from '#web/saving/form-changes.ts'
import { Checkbox, Field, TextArea } from '#web/ui/controls/field.tsx'
import { Summary } from '#web/ui/controls/summary.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { useCreateMilestone, useUpdateMilestone } from './mutations.ts'

const labels: { [field in keyof MilestoneFields]-?: string } = {
  title: 'Title',
  description: 'Description',
  completed: 'Mark as completed',
  startsOn: 'Start date',
  dueOn: 'Due date',
}
const planned = milestoneFields.shape
const schema = milestoneFields
  .extend({ startsOn: dayOr(planned.startsOn), dueOn: dayOr(planned.dueOn) })
  .refine(areDaysInOrder, { path: ['dueOn'], message: DUE_BEFORE_START })
const blank = {
  title: '',
  description: '',
  completed: false,
  startsOn: '',
  dueOn: '',
} satisfies { [field in keyof MilestoneFields]-?: unknown }

/** An empty text is no day. */
function dayOr(chosen: typeof planned.startsOn) {
  return z
    .string()
    .transform((value): string | null | undefined => value || null)
    .pipe(chosen)
}

type MilestoneFormProps = {
  name: string
  title: string
  verb: string
  original?: Milestone
  save: (fields: MilestoneFields, version: number, form: FormChanges) => Promise<unknown>
  onClose: () => void
}

function MilestoneForm({ name, title, verb, original, save, onClose }: MilestoneFormProps) {
  const shown = original && { ...original, startsOn: original.startsOn ?? '', dueOn: original.dueOn ?? '' }
  const saving = useSavingForm({ name, schema, blank, original: shown, save, onClose })
  const { register, formState, getValues, watch } = saving.form
  const [startsOn, dueOn] = watch(['startsOn', 'dueOn'])
  // The schema compares the days only once the other fields are valid; this says it with what else is wrong.
  const isReversed = formState.submitCount > 0 && !areDaysInOrder({ startsOn, dueOn })
  const startError = formState.errors.startsOn?.message
  const dueError = formState.errors.dueOn?.message ?? (isReversed ? DUE_BEFORE_START : undefined)
  const [isPlanned] = useState(() => getValues(['startsOn', 'dueOn']).some(Boolean))
  const more = useRef<HTMLDetailsElement>(null)

  useEffect(() => {
    if (more.current && (startError || dueError)) more.current.open = true
  }, [startError, dueError])

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
      <details ref={more} open={isPlanned} className="-my-1">
        <Summary>More</Summary>
        <div className="grid grid-cols-2 gap-x-3 gap-y-4 pt-2 max-[22rem]:grid-cols-1">
          <Field label={labels.startsOn} error={startError}>
            <TextInput {...register('startsOn')} type="date" />
          </Field>
          <Field label={labels.dueOn} error={dueError}>
            <TextInput {...register('dueOn')} type="date" />
          </Field>
        </div>
      </details>
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
      save={async (fields, version, form) => onCreated(await mutateAsync({ fields, version, form }))}
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
