import { z } from 'zod'
import { defineCalls } from './call.ts'
import { description, title } from './text.ts'
import { date, fields, flag, id, ids, version } from './wire.ts'

export const projectFields = fields({ title, description, isPublic: flag('isPublic') })
export type ProjectFields = z.infer<typeof projectFields>

/** An update: a field that is left out keeps its value. */
export const projectChange = fields({
  title: title.optional(),
  description: description.optional(),
  isPublic: projectFields.shape.isPublic.removeDefault().optional(),
})
export type ProjectChange = z.infer<typeof projectChange>

export const project = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  isPublic: z.boolean(),
  createdAt: date,
  updatedAt: date,
  version,
  milestoneCount: z.int(),
  completedMilestoneCount: z.int(),
  /** Completed milestones in rounded percent; 0 where there is none. */
  progress: z.int().min(0).max(100),
})
export type Project = z.infer<typeof project>

export const projectCalls = defineCalls({
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    who: 'signed-in',
    summary: 'The projects that I own, newest first',
    answers: { 200: z.array(project) },
  },
  readProject: {
    method: 'GET',
    path: '/api/projects/:projectId',
    who: 'either',
    summary: 'One project',
    params: ids('projectId'),
    answers: { 200: project },
  },
  createProject: {
    method: 'POST',
    path: '/api/projects',
    who: 'signed-in',
    summary: 'Start a project',
    body: projectFields,
    answers: { 201: project },
  },
  updateProject: {
    method: 'PUT',
    path: '/api/projects/:projectId',
    who: 'signed-in',
    needs: 'project:edit',
    summary: 'Change title, description or visibility',
    params: ids('projectId'),
    body: projectChange,
    answers: { 200: project },
  },
  deleteProject: {
    method: 'DELETE',
    path: '/api/projects/:projectId',
    who: 'signed-in',
    needs: 'project:delete',
    summary: 'Delete a project and everything in it',
    params: ids('projectId'),
    answers: { 204: null },
  },
})
