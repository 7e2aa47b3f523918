import { z } from 'zod'
import { defineCalls } from './parts/call.ts'

const count = z.int().min(0)

export const stats = z.object({ projects: count, milestones: count, entries: count })
export type Stats = z.infer<typeof stats>

export const statsCalls = defineCalls({
  readStats: {
    method: 'GET',
    path: '/api/projects/stats',
    who: 'anyone',
    summary: 'The numbers of projects, milestones and entries on this server',
    responses: { 200: stats },
  },
  countUsers: {
    method: 'GET',
    path: '/api/users/total-users',
    who: 'anyone',
    summary: 'The number of people who have signed in to this server',
    responses: { 200: z.object({ total: count }) },
  },
})
