import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject, writableProjectsQuery } from '#web/projects/queries.ts'
import { Field, Select } from '#web/ui/controls/field.tsx'
import type { Place } from './composer-settings.ts'

type PlaceFieldProps = { target: Place; onTarget: (target: Place) => void; disabled: boolean }

/** The milestone of an entry, in any project that one may write in. */
export function PlaceField({ target, onTarget, disabled }: PlaceFieldProps) {
  const [chosenId, setChosenId] = useState(target.projectId)
  const { data: writable = [] } = useQuery(writableProjectsQuery)
  const project = useProject(target.projectId)
  const { milestones, isPending } = useMilestones(chosenId)
  const current = { _id: target.projectId, title: project.data?.title ?? '' }
  const projects = writable.some(({ _id }) => _id === current._id) ? writable : [current, ...writable]
  const options = milestones.map(({ _id, title }) => ({ value: _id, label: title }))
  const isHere = options.some(({ value }) => value === target.milestoneId)

  return (
    <div className="flex flex-col gap-5">
      {projects.length > 1 && (
        <Field label="Project">
          <Select
            value={chosenId}
            disabled={disabled}
            options={projects.map(({ _id, title }) => ({ value: _id, label: title }))}
            onChange={({ target: { value } }) => setChosenId(value)}
          />
        </Field>
      )}
      <Field
        label="Milestone"
        {...(!isPending && options.length === 0 && { hint: 'This project has no milestones yet.' })}
      >
        <Select
          value={isHere ? target.milestoneId : ''}
          disabled={disabled || options.length === 0}
          options={isHere ? options : [{ value: '', label: 'Choose…' }, ...options]}
          onChange={({ target: { value } }) =>
            value !== '' && onTarget({ projectId: chosenId, milestoneId: value })
          }
        />
      </Field>
    </div>
  )
}
