import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject, writableProjectsQuery } from '#web/projects/queries.ts'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import type { MilestoneRef } from './composer-settings.ts'

type MilestoneFieldProps = {
  target: MilestoneRef
  onTarget: (target: MilestoneRef) => void
  disabled: boolean
}

/** The milestone of an entry, in any project that the person may edit. */
export function MilestoneField({ target, onTarget, disabled }: MilestoneFieldProps) {
  const { milestoneId } = target
  const [chosen, setChosen] = useState({ projectId: target.projectId, milestoneId })
  if (chosen.milestoneId !== milestoneId) setChosen({ projectId: target.projectId, milestoneId })
  const chosenId = chosen.projectId
  const { data: writable = [] } = useQuery(writableProjectsQuery)
  const project = useProject(target.projectId)
  const { milestones, isPending, isError, refetch } = useMilestones(chosenId)
  const current = { _id: target.projectId, title: project.data?.title ?? '' }
  const projects = writable.some(({ _id }) => _id === current._id) ? writable : [current, ...writable]
  const options = milestones.map(({ _id, title }) => ({ value: _id, label: title }))
  const isHere = options.some(({ value }) => value === milestoneId)
  const isFailed = isError && options.length === 0

  return (
    <div className="flex flex-col gap-5">
      {projects.length > 1 && (
        <Field label="Project">
          <Select
            value={chosenId}
            disabled={disabled}
            options={projects.map(({ _id, title }) => ({ value: _id, label: title }))}
            onChange={({ target: { value } }) => setChosen({ projectId: value, milestoneId })}
          />
        </Field>
      )}
      <div className="flex flex-col gap-2">
        <Field label="Milestone" hint={isPending || options.length > 0 ? undefined : noMilestones(isFailed)}>
          <Select
            value={isHere ? milestoneId : ''}
            disabled={disabled || options.length === 0}
            options={isHere ? options : [{ value: '', label: 'Choose…' }, ...options]}
            onChange={({ target: { value } }) =>
              value !== '' && onTarget({ projectId: chosenId, milestoneId: value })
            }
          />
        </Field>
        {isFailed && <TryAgain size="sm" className="self-start" onClick={() => void refetch()} />}
      </div>
    </div>
  )
}

const noMilestones = (isFailed: boolean) =>
  isFailed ? 'The milestones could not be fetched.' : 'This project has no milestones yet.'
