import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Project, ProjectChange, ProjectFields } from '#contract/projects.ts'
import { change } from '#web/saving/change.ts'
import { type FormChanges, saveForm } from '#web/saving/form-changes.ts'
import { deleting, useUndoOffer } from '#web/saving/undo.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { projectQuery, projectsKey, refreshProjects } from './queries.ts'

type Creation = { fields: ProjectFields; version: number; form: FormChanges }

/** Creates a project. A toast leads to it. */
export function useCreateProject() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useChange({
    mutationFn: ({ fields, version, form }: Creation) =>
      saveForm(form, {
        version,
        create: (_id) => ({ call: 'createProject', params: {}, body: { ...fields, _id } }),
        update: (projectId) => ({ call: 'updateProject', params: { projectId }, body: fields }),
      }),
    onSuccess: (created) =>
      toast.success('Project created successfully', {
        label: 'Open',
        run: () => void navigate(`/projects/${created._id}`),
      }),
    failed: 'Failed to create project',
    onSettled: () => refreshProjects(client),
  })
}

type Update = { fields: ProjectChange; version: number; form: FormChanges }

/** Changes a project, unless somebody else has changed it since `version`. */
export function useUpdateProject(projectId: string) {
  const client = useQueryClient()
  const params = { projectId }
  return useChange({
    mutationFn: ({ fields, version, form }: Update) =>
      saveForm(form, { version, update: () => ({ call: 'updateProject', params, body: fields }) }),
    done: 'Project updated successfully',
    failed: 'Failed to update project',
    onSettled: () => refreshProjects(client),
  })
}

/** Returns a function that publishes a project, regardless of other changes since it was shown. */
export function usePublishProject(projectId: string): () => void {
  const client = useQueryClient()
  const { mutate } = useChange({
    mutationKey: [...projectsKey, 'publish', projectId],
    mutationFn: () => change('updateProject', { params: { projectId }, body: { isPublic: true } }),
    done: 'Project updated successfully',
    failed: 'Failed to update project',
    onSettled: () => refreshProjects(client),
  })
  return mutate
}

/** Moves a project to the trash. */
export function useDeleteProject() {
  const client = useQueryClient()
  const offerUndo = useUndoOffer()
  return useChange({
    mutationFn: ({ _id: projectId }: Project) => deleting('deleteProject', { params: { projectId } }),
    onSuccess(deletionId, { _id }) {
      client.removeQueries({ queryKey: projectQuery(_id).queryKey })
      offerUndo('Project deleted successfully', deletionId)
    },
    failed: 'Failed to delete project',
    onSettled: () => refreshProjects(client),
  })
}
