import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { useMoveMilestone } from '#web/milestones/mutations.ts'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject, writableProjectsQuery } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'

type MoveDialogProps = { milestone: Milestone; onClose: () => void }

const FIRST = 'first'
const LAST = 'last'

/** Chooses a place for a milestone, in its project or with its entries in another. */
export function MoveDialog({ milestone, onClose }: MoveDialogProps) {
  const { _id: id, project: from, title } = milestone
  const [projectId, setProjectId] = useState(from)
  const [chosen, setChosen] = useState<string>()
  const { data: writable = [] } = useQuery(writableProjectsQuery)
  const project = useProject(from)
  const own = { _id: from, title: project.data?.title ?? '' }
  const projects = writable.some(({ _id }) => _id === from) ? writable : [own, ...writable]
  const { milestones, isPending } = useMilestones(projectId)
  const others = milestones.filter(({ _id }) => _id !== id)
  const index = milestones.findIndex(({ _id }) => _id === id)
  const current = index < 0 ? LAST : (milestones[index - 1]?._id ?? FIRST)
  const value = chosen !== undefined && isOffered(chosen) ? chosen : isOffered(current) ? current : LAST
  const { mutate } = useMoveMilestone(from)
  const isElsewhere = projectId !== from

  function isOffered(place: string) {
    return place === FIRST || place === LAST || others.some(({ _id }) => _id === place)
  }

  function move() {
    const after = value === LAST ? undefined : value === FIRST ? null : value
    const target = projects.find(({ _id }) => _id === projectId)
    mutate({
      id,
      place: { after, ...(isElsewhere && { project: projectId }) },
      to: isElsewhere ? target : undefined,
    })
    onClose()
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Move ${title}`}>
      <DialogForm busy={false} onSubmit={move}>
        <DialogBody>
          {projects.length > 1 && (
            <Field
              label="Project"
              hint={
                isElsewhere
                  ? 'Its entries go along, and members of that project will see them. Drafts stay their writers’.'
                  : undefined
              }
            >
              <Select
                value={projectId}
                options={projects.map(({ _id, title: label }) => ({ value: _id, label }))}
                onChange={({ target }) => setProjectId(target.value)}
              />
            </Field>
          )}
          <Field label="Place">
            <Select
              value={value}
              disabled={isPending}
              options={[
                { value: FIRST, label: 'First' },
                ...others
                  .slice(0, -1)
                  .map(({ _id, title: label }) => ({ value: _id, label: `After ${label}` })),
                { value: LAST, label: 'Last' },
              ]}
              onChange={({ target }) => setChosen(target.value)}
            />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Move
          </Button>
        </DialogFooter>
      </DialogForm>
    </Dialog>
  )
}
