import type { ClientCalls } from '#contract/calls.ts'
import type { CallInput } from '#contract/parts/call.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import type { Project, ProjectChange } from '#contract/projects.ts'
import { eachShown, type ShownChange, showing, UNSAVED } from '#web/saving/overlay.ts'

type Sent = CallInput<ClientCalls['createProject']>['body']

/** The list of the caller's projects, newest first, with pending changes. */
export const showingInList = showing(
  eachShown((list: Project[], change) => {
    if (change.call === 'createProject') {
      const { thing, body, answer } = change
      if (list.some(({ _id }) => _id === thing)) return answer ? list.map(replacing(answer)) : list
      return [answer ?? unsavedProject(thing, body), ...list]
    }
    if (change.call === 'deleteProject') {
      const { projectId } = change.params
      return list.some(({ _id }) => _id === projectId) ? list.filter(({ _id }) => _id !== projectId) : list
    }
    const isListed = change.call === 'updateProject' && list.some(({ _id }) => _id === change.thing)
    return isListed ? list.map((project) => withChange(project, change)) : list
  }),
)

/** One project with pending changes. */
export const showingInProject = showing(eachShown(withChange))

const replacing = (by: Project) => (other: Project) => (other._id === by._id ? by : other)

function withChange(project: Project, change: ShownChange): Project {
  if (change.call !== 'updateProject' || change.params.projectId !== project._id) return project
  const { answer, body } = change
  if (!answer) return withFields(project, body as ProjectChange)
  // The response to a change does not contain the summary of a finished project.
  return { ...(project.finished && { finished: project.finished }), ...answer }
}

/**
 * Returns the project that the server is expected to return; a new cover is shown only after the response. The version stays the
 * server's, because the change may fail while the project is being edited.
 */
function withFields(old: Project, { coverFile, ...fields }: ProjectChange): Project {
  const { isPublic = old.isPublic } = fields
  const published = old.visibility === 'private' ? 'public' : old.visibility
  const { visibility = isPublic ? published : 'private' } = fields
  const changed = { ...old, ...fields, visibility }
  if (coverFile === undefined || coverFile === (old.coverFile === undefined ? DEFAULT_COVER : old.coverFile))
    return changed
  const { coverFile: _formerFile, imageURL: _formerURL, image: _formerImage, ...uncovered } = changed
  return coverFile === DEFAULT_COVER ? uncovered : { ...uncovered, coverFile }
}

function unsavedProject(_id: string, { isPublic = false, ...fields }: Sent): Project {
  const now = new Date().toISOString()
  return {
    ...fields,
    _id,
    isPublic,
    visibility: fields.visibility ?? (isPublic ? 'public' : 'private'),
    createdAt: now,
    updatedAt: now,
    version: UNSAVED,
    milestoneCount: 0,
    completedMilestoneCount: 0,
    progress: 0,
    lastEntryAt: null,
    lastEntry: null,
  }
}
