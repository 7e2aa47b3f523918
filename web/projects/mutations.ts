import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { DEFAULT_COVER } from '#contract/covers.ts'
import type { Project, ProjectChange, ProjectFields } from '#contract/projects.ts'
import { useIsRunning } from '#web/api/mutation-once.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { change } from '#web/saving/change.ts'
import { type FormChanges, idOf, saveForm } from '#web/saving/form-changes.ts'
import { UNSAVED } from '#web/saving/unsaved.ts'
import { deleting, useUndoOffer } from '#web/trash/undo.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { myProjectsQuery, projectQuery, projectsKey, refreshProjects, storeProject } from './queries.ts'

const changeMine = (change: (list: Project[]) => Project[]) => changeCached(myProjectsQuery.queryKey, change)

type Creation = { fields: ProjectFields; version: number; form: FormChanges }

/** Creates a project. A toast leads to it. */
export function useCreateProject() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useOptimisticMutation({
    mutationKey: projectsKey,
    mutationFn: ({ fields, version, form }: Creation) =>
      saveForm(form, {
        version,
        create: (_id) => ({ call: 'createProject', params: {}, body: { ...fields, _id } }),
        update: (projectId) => ({ call: 'updateProject', params: { projectId }, body: fields }),
      }),
    changes: ({ fields, form }) => [
      changeMine((list) => {
        const _id = idOf(form)
        return list.some((other) => other._id === _id) ? list : [unsavedProject(_id, fields), ...list]
      }),
    ],
    onSuccess(created) {
      client.setQueryData(myProjectsQuery.queryKey, (list) =>
        list?.map((other) => (other._id === created._id ? created : other)),
      )
      toast.success('Project created successfully', {
        label: 'Open',
        run: () => void navigate(`/projects/${created._id}`),
      })
    },
    onFailure: 'Failed to create project',
    onSettled: () => refreshProjects(client),
  })
}

type Update = { fields: ProjectChange; version: number; form: FormChanges }

/** Changes a project, unless somebody else has changed it since `version`. */
export function useUpdateProject(projectId: string) {
  const client = useQueryClient()
  const params = { projectId }
  return useOptimisticMutation({
    mutationKey: projectsKey,
    scope: { id: `project ${projectId}` },
    mutationFn: ({ fields, version, form }: Update) =>
      saveForm(form, { version, update: () => ({ call: 'updateProject', params, body: fields }) }),
    changes: ({ fields }) => changeEverywhere(projectId, (old) => withChange(old, fields)),
    store: (project) => storeProject(client, project),
    successText: 'Project updated successfully',
    onFailure: 'Failed to update project',
    onSettled: () => refreshProjects(client),
  })
}

/** Returns a function that publishes a project, regardless of other changes since it was shown. */
export function usePublishProject(projectId: string): () => void {
  const client = useQueryClient()
  const body = { isPublic: true }
  const mutationKey = [...projectsKey, 'publish', projectId]
  const isPublishing = useIsRunning(mutationKey)
  const { mutate } = useOptimisticMutation({
    mutationKey,
    scope: { id: `project ${projectId}` },
    mutationFn: (_input: void) => change('updateProject', { params: { projectId }, body }),
    changes: () => changeEverywhere(projectId, (old) => withChange(old, body)),
    store: (project) => storeProject(client, project),
    successText: 'Project updated successfully',
    onFailure: 'Failed to update project',
    onSettled: () => refreshProjects(client),
  })
  return () => {
    if (!isPublishing()) mutate()
  }
}

const changeEverywhere = (projectId: string, changed: (project: Project) => Project) => [
  changeMine((list) => list.map((other) => (other._id === projectId ? changed(other) : other))),
  changeCached(projectQuery(projectId).queryKey, changed),
]

/**
 * Returns the project that the server is expected to return; a new cover is shown only after the response. The version stays the
 * server's, because the change may fail while the project is being edited.
 */
function withChange(old: Project, { coverFile, ...fields }: ProjectChange): Project {
  const { isPublic = old.isPublic } = fields
  const published = old.visibility === 'private' ? 'public' : old.visibility
  const { visibility = isPublic ? published : 'private' } = fields
  const changed = { ...old, ...fields, visibility }
  if (coverFile === undefined || coverFile === (old.coverFile === undefined ? DEFAULT_COVER : old.coverFile))
    return changed
  const { coverFile: _formerFile, imageURL: _formerURL, image: _formerImage, ...uncovered } = changed
  return coverFile === DEFAULT_COVER ? uncovered : { ...uncovered, coverFile }
}

/** Moves a project to the trash. */
export function useDeleteProject() {
  const client = useQueryClient()
  const offerUndo = useUndoOffer()
  return useOptimisticMutation({
    mutationKey: projectsKey,
    mutationFn: ({ _id: projectId }: Project) => deleting('deleteProject', { params: { projectId } }),
    changes: ({ _id }) => [changeMine((list) => list.filter((other) => other._id !== _id))],
    onSuccess(deletionId, { _id }) {
      client.removeQueries({ queryKey: projectQuery(_id).queryKey })
      offerUndo('Project deleted successfully', deletionId)
    },
    onFailure: 'Failed to delete project',
    onSettled: () => refreshProjects(client),
  })
}

function unsavedProject(_id: string, fields: ProjectFields): Project {
  const now = new Date().toISOString()
  return {
    ...fields,
    _id,
    visibility: fields.visibility ?? (fields.isPublic ? 'public' : 'private'),
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
