import { z } from 'zod'
import { defineCalls } from './call.ts'
import { entry } from './entries.ts'
import { milestone } from './milestones.ts'
import { project } from './projects.ts'
import { ids } from './wire.ts'

/** A public project as anybody sees it: the owner is a name only, never an id or an address. */
export const worldProject = project
  .pick({ _id: true, title: true, description: true, isPublic: true, createdAt: true, progress: true })
  .extend({ user: z.object({ name: z.string() }) })

export const worldMilestone = milestone.extend({ entries: z.array(entry) })
export type WorldMilestone = z.infer<typeof worldMilestone>

/** Milestones oldest first, entries newest first. */
export const world = z.object({ project: worldProject, milestones: z.array(worldMilestone) })
export type World = z.infer<typeof world>

export const worldCalls = defineCalls({
  readWorld: {
    method: 'GET',
    path: '/api/projects/world/:projectId',
    who: 'anyone',
    summary: 'A public project with its milestones and entries',
    params: ids('projectId'),
    answers: { 200: world },
  },
})
