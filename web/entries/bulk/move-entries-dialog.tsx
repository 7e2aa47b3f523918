import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { useMilestones } from '#web/milestones/queries.ts'
import { useProject, writableProjectsQuery } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, Select } from '#web/ui/controls/field.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { countOf, useMoveEntries } from './mutations.ts'

type MoveEntriesDialogProps = {
  projectId: string
  entries: readonly Entry[]
  onMoved: () => void
  onClose: () => void
}

/** Chooses the milestone to which entries move, in their project or in another, and says what becomes of unpublished ones. */
export function MoveEntriesDialog({ projectId: from, entries, onMoved, onClose }: MoveEntriesDialogProps) {
  const [projectId, setProjectId] = useState(from)
  const [chosen, setChosen] = useState<string>()
  const { data: writable = [] } = useQuery(writableProjectsQuery)
  const project = useProject(from)
  const own = { _id: from, title: project.data?.title ?? '' }
  const projects = writable.some(({ _id }) => _id === from) ? writable : [own, ...writable]
  const { milestones, isPending } = useMilestones(projectId)
  const sources = new Set(entries.map(({ milestone }) => milestone))
  const [onlySource] = sources.size === 1 ? sources : []
  const offered = milestones.filter(({ _id }) => _id !== onlySource)
  const target = offered.find(({ _id }) => _id === chosen) ?? offered[0]
  const { mutateAsync, isPending: isMoving } = useMoveEntries(from)

  async function move() {
    if (!target) return
    try {
      await mutateAsync({ entries, to: target })
    } catch {
      return // a toast says why
    }
    onClose()
    onMoved()
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Move ${countOf(entries.length)}`}>
      <DialogForm busy={isMoving} onSubmit={move}>
        <DialogBody>
          {projects.length > 1 && (
            <Field
              label="Project"
              hint={projectId === from ? undefined : 'Members of that project will see the published ones.'}
            >
              <Select
                value={projectId}
                options={projects.map(({ _id, title: label }) => ({ value: _id, label }))}
                onChange={({ target: { value } }) => setProjectId(value)}
              />
            </Field>
          )}
          <Field
            label="Milestone"
            hint={isPending || target ? undefined : 'There is no other milestone in this project.'}
          >
            <Select
              value={target?._id ?? ''}
              disabled={isPending || !target}
              options={offered.map(({ _id, title: label }) => ({ value: _id, label }))}
              onChange={({ target: { value } }) => setChosen(value)}
            />
          </Field>
          <p className="text-sm text-muted">{unpublishedText(entries)}</p>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isMoving} disabled={!target}>
            Move
          </Button>
        </DialogFooter>
      </DialogForm>
    </Dialog>
  )
}

/** Says what becomes of unpublished ones among the entries, and of changes that somebody has not saved yet. */
function unpublishedText(entries: readonly Entry[]): string {
  const unpublished = entries.filter(({ state }) => state !== 'published').length
  const unsaved = 'Unsaved changes of these entries stay with their writers.'
  if (unpublished === 0) return unsaved
  return unpublished === 1
    ? `The unpublished one among them stays yours: nobody else sees it there. ${unsaved}`
    : `The ${unpublished} unpublished ones among them stay yours: nobody else sees them there. ${unsaved}`
}
