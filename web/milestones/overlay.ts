import type { ClientCalls } from '#contract/calls.ts'
import type { Milestone, MilestoneFields, MilestonePlace } from '#contract/milestones.ts'
import type { CallInput } from '#contract/parts/call.ts'
import { eachShown, showing, UNSAVED } from '#web/saving/overlay.ts'
import { atPlace } from './order/place.ts'

type Sent = CallInput<ClientCalls['createMilestone']>['body']

/** The milestones of a project, by their position, with pending changes. */
export const showingMilestones = (projectId: string) =>
  showing(
    eachShown((list: Milestone[], change) => {
      if (change.call === 'createMilestone') {
        const { params, thing, body, answer } = change
        if (params.projectId !== projectId) return list
        const isListed = list.some(({ _id }) => _id === thing)
        if (!isListed) return [...list, answer ?? unsavedMilestone(thing, projectId, body)]
        return answer ? list.map((other) => (other._id === thing ? answer : other)) : list
      }
      if (!list.some(({ _id }) => _id === change.thing)) return list
      if (change.call === 'updateMilestone') {
        const { thing, answer, body } = change
        return list.map((other) => (other._id === thing ? (answer ?? withFields(other, body)) : other))
      }
      if (change.call === 'moveMilestone') return moved(list, change.thing, change.body as MilestonePlace)
      return change.call === 'deleteMilestone' ? list.filter(({ _id }) => _id !== change.thing) : list
    }),
  )

/** The version stays the server's, because the change may fail while the milestone is being edited. */
function withFields(old: Milestone, fields: Partial<MilestoneFields>): Milestone {
  const { completed = old.completed } = fields
  const reachedAt = completed === old.completed ? old.reachedAt : completed ? new Date().toISOString() : null
  return { ...old, ...fields, reachedAt }
}

function moved(list: Milestone[], id: string, { after, project }: MilestonePlace): Milestone[] {
  const isLeaving = project !== undefined && project !== list.find(({ _id }) => _id === id)?.project
  if (isLeaving) return list.filter(({ _id }) => _id !== id)
  const last = list.findLast(({ _id }) => _id !== id)?._id ?? null
  return [...atPlace(list, { id, after: after === undefined ? last : after })]
}

function unsavedMilestone(
  _id: string,
  projectId: string,
  { title, description, completed = false, startsOn = null, dueOn = null }: Sent,
): Milestone {
  const now = new Date().toISOString()
  return {
    _id,
    title,
    description,
    completed,
    startsOn,
    dueOn,
    reachedAt: completed ? now : null,
    createdAt: now,
    updatedAt: now,
    version: UNSAVED,
    project: projectId,
    entryCount: 0,
  }
}
