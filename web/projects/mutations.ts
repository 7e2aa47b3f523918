import { useQueryClient } from '@tanstack/react-query'
import type { Project, ProjectFields } from '#contract/projects.ts'
import { request } from '#web/api/client.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { myProjectsQuery, projectQuery, projectsKey, refreshProjects, storeProject } from './queries.ts'

const changeMine = (change: (list: Project[]) => Project[]) => changeCached(myProjectsQuery.queryKey, change)

/** Creates a project. */
export function useCreateProject() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: projectsKey,
    mutationFn: (fields: ProjectFields) => request('createProject', { body: fields }),
    changes: (fields, temporaryId) => [
      changeMine((list) => [temporaryProject(temporaryId, fields), ...list]),
    ],
    onSuccess: (created, _fields, temporaryId) =>
      client.setQueryData(myProjectsQuery.queryKey, (list) =>
        list?.map((other) => (other._id === temporaryId ? created : other)),
      ),
    successText: 'Project created successfully',
    onFailure: 'Failed to create project',
    onSettled: () => refreshProjects(client),
  })
}

type Update = { fields: ProjectFields; version: number }

/** Changes a project, unless somebody else has changed it since `version`. */
export function useUpdateProject(projectId: string) {
  const client = useQueryClient()
  const params = { projectId }
  const store = (project: Project) => storeProject(client, project)
  return useOptimisticMutation({
    mutationKey: projectsKey,
    scope: { id: `project ${projectId}` },
    mutationFn: ({ fields, version }: Update) =>
      request('updateProject', { params, body: fields }, { ifMatch: version }),
    changes({ fields, version }) {
      const changed = (old: Project) => ({ ...old, ...fields, version: version + 1 })
      return [
        changeMine((list) => list.map((other) => (other._id === projectId ? changed(other) : other))),
        changeCached(projectQuery(projectId).queryKey, changed),
      ]
    },
    onSuccess: store,
    onStale: store,
    successText: 'Project updated successfully',
    onFailure: 'Failed to update project',
    onSettled: () => refreshProjects(client),
  })
}

/** Deletes a project. */
export function useDeleteProject() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: projectsKey,
    mutationFn: ({ _id }: Project) => request('deleteProject', { params: { projectId: _id } }),
    changes: ({ _id }) => [changeMine((list) => list.filter((other) => other._id !== _id))],
    onSuccess: (_nothing, { _id }) => client.removeQueries({ queryKey: projectQuery(_id).queryKey }),
    successText: 'Project deleted successfully',
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
  }
}
