import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project, ProjectFields } from '#contract/projects.ts'
import { overtakenBy } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { changeOptimistically, unsavedId } from '#web/api/optimistic.ts'
import { toast } from '#web/ui/toast.ts'
import { myProjectsQuery, projectQuery, projectsKey, refreshProjects, storeProject } from './queries.ts'

const changeMine = (client: QueryClient, change: (list: Project[]) => Project[]) =>
  changeOptimistically(client, myProjectsQuery.queryKey, change)

/** Starts a project; it stands in the list before the server has answered. */
export function useCreateProject() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: projectsKey,
    mutationFn: (fields: ProjectFields) => request('createProject', { body: fields }),
    onMutate: async (fields) => {
      const unsaved = unsavedProject(fields)
      return { unsaved, undo: await changeMine(client, (list) => [unsaved, ...list]) }
    },
    onSuccess: (created, _fields, { unsaved }) => {
      client.setQueryData(myProjectsQuery.queryKey, (list) =>
        list?.map((other) => (other._id === unsaved._id ? created : other)),
      )
      toast.success('Project created successfully')
    },
    onError: (_error, _fields, shown) => {
      shown?.undo()
      toast.error('Failed to create project')
    },
    onSettled: () => refreshProjects(client),
  })
}

type Update = { fields: ProjectFields; version: number }

/** Changes a project, unless somebody else did since `version`. */
export function useUpdateProject(projectId: string) {
  const client = useQueryClient()
  const params = { projectId }
  return useMutation({
    mutationKey: projectsKey,
    scope: { id: `project ${projectId}` },
    mutationFn: ({ fields, version }: Update) =>
      request('updateProject', { params, body: fields }, { ifMatch: version }),
    onMutate: async ({ fields, version }) => {
      const changed = (old: Project) => ({ ...old, ...fields, version: version + 1 })
      const undoMine = await changeMine(client, (list) =>
        list.map((other) => (other._id === projectId ? changed(other) : other)),
      )
      const undoOne = await changeOptimistically(client, projectQuery(projectId).queryKey, changed)
      return () => {
        undoMine()
        undoOne()
      }
    },
    onSuccess: (updated) => {
      storeProject(client, updated)
      toast.success('Project updated successfully')
    },
    onError: (error, _update, undo) => {
      undo?.()
      const current = overtakenBy(error) as Project | null
      if (current) storeProject(client, current)
      toast.error('Failed to update project')
    },
    onSettled: () => refreshProjects(client),
  })
}

/** Deletes a project; it leaves the list at once. */
export function useDeleteProject() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: projectsKey,
    mutationFn: ({ _id }: Project) => request('deleteProject', { params: { projectId: _id } }),
    onMutate: ({ _id }) => changeMine(client, (list) => list.filter((other) => other._id !== _id)),
    onSuccess: (_nothing, { _id }) => {
      client.removeQueries({ queryKey: projectQuery(_id).queryKey })
      toast.success('Project deleted successfully')
    },
    onError: (_error, _project, undo) => {
      undo?.()
      toast.error('Failed to delete project')
    },
    onSettled: () => refreshProjects(client),
  })
}

function unsavedProject(fields: ProjectFields): Project {
  const now = new Date().toISOString()
  return {
    ...fields,
    _id: unsavedId(),
    createdAt: now,
    updatedAt: now,
    version: 1,
    milestoneCount: 0,
    completedMilestoneCount: 0,
    progress: 0,
  }
}
