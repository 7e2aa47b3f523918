import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { DEFAULT_COVER } from '#contract/covers.ts'
import type { Project, ProjectChange, ProjectFields } from '#contract/projects.ts'
import { change, isMissing } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { useIsRunning } from '#web/api/mutation-once.ts'
import { changeCached, useOptimisticMutation, withCreated } from '#web/api/optimistic.ts'
import { create, type SendingForm, update } from '#web/api/saving.ts'
import { deleting, useUndoOffer } from '#web/trash/undo.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { myProjectsQuery, projectQuery, projectsKey, refreshProjects, storeProject } from './queries.ts'

const changeMine = (change: (list: Project[]) => Project[]) => changeCached(myProjectsQuery.queryKey, change)

type Creation = { body: ProjectFields; form: SendingForm }

/** Creates a project. A toast leads to it. */
export function useCreateProject() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useOptimisticMutation({
    mutationKey: projectsKey,
    mutationFn: ({ body, form }: Creation) =>
      create(
        'createProject',
        { body },
        {
          form,
          amend: ({ _id: projectId, version }) =>
            update('updateProject', { params: { projectId }, body }, version, { form }),
        },
      ),
    changes: ({ body }, temporaryId) => [
      changeMine((list) => [temporaryProject(temporaryId, body), ...list]),
    ],
    onSuccess(created, _input, temporaryId) {
      client.setQueryData(myProjectsQuery.queryKey, (list) => list && withCreated(list, temporaryId, created))
      toast.success('Project created successfully', {
        label: 'Open',
        run: () => void navigate(`/projects/${created._id}`),
      })
    },
    onFailure: 'Failed to create project',
    onSettled: () => refreshProjects(client),
  })
}

type Update = { fields: ProjectChange; version: number; form: SendingForm }

/** Changes a project, unless somebody else has changed it since `version`. */
export function useUpdateProject(projectId: string) {
  const client = useQueryClient()
  const params = { projectId }
  return useOptimisticMutation({
    mutationKey: projectsKey,
    scope: { id: `project ${projectId}` },
    mutationFn: ({ fields, version, form }: Update) =>
      update('updateProject', { params, body: fields }, version, { form }),
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
    async mutationFn(_input: void) {
      const params = { projectId }
      const isDone = async () => (await request('readProject', { params })).isPublic
      const published: Project | undefined = await change('updateProject', { params, body }, { isDone })
      return published ?? request('readProject', { params })
    },
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
    mutationFn: ({ _id: projectId }: Project) =>
      deleting('deleteProject', { params: { projectId } }, () =>
        isMissing(request('readProject', { params: { projectId } })),
      ),
    changes: ({ _id }) => [changeMine((list) => list.filter((other) => other._id !== _id))],
    onSuccess(deletionId, { _id }) {
      client.removeQueries({ queryKey: projectQuery(_id).queryKey })
      offerUndo('Project deleted successfully', deletionId)
    },
    onFailure: 'Failed to delete project',
    onSettled: () => refreshProjects(client),
  })
}

function temporaryProject(_id: string, fields: ProjectFields): Project {
  const now = new Date().toISOString()
  return {
    ...fields,
    _id,
    visibility: fields.visibility ?? (fields.isPublic ? 'public' : 'private'),
    createdAt: now,
    updatedAt: now,
    version: 1,
    milestoneCount: 0,
    completedMilestoneCount: 0,
    progress: 0,
    lastEntryAt: null,
    lastEntry: null,
  }
}
