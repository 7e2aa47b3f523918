import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { date, fields, ids, mustBeOneOf } from './parts/wire.ts'

/** Which news of a project a member hears: all, only those that mention them, or none. */
export const WATCH_LEVELS = ['all', 'mentions', 'none'] as const
export const watchLevel = z.enum(WATCH_LEVELS, { error: mustBeOneOf('level', WATCH_LEVELS) })
export type WatchLevel = z.infer<typeof watchLevel>

/** What a member hears of a project, and since when its entries are new to them; null before their second visit. */
export const watch = z.object({ level: watchLevel, newSince: date.nullable() })
export type Watch = z.infer<typeof watch>

const ofMember = {
  who: 'signed-in',
  scope: 'none',
  needs: 'activity:view',
  params: ids('projectId'),
  responses: { 200: watch },
} as const

export const watchingCalls = defineCalls({
  readWatch: {
    ...ofMember,
    method: 'GET',
    path: '/api/projects/:projectId/watch',
    summary: 'Which news of a project I hear, and what is new to me since my last visit',
  },
  changeWatch: {
    ...ofMember,
    method: 'PUT',
    path: '/api/projects/:projectId/watch',
    summary: 'Choose which news of a project I hear: all, mentions of me, or none',
    body: fields({ level: watchLevel }),
  },
  listMentionable: {
    ...ofMember,
    method: 'GET',
    path: '/api/projects/:projectId/mentionable',
    needs: 'content:edit',
    summary: 'The names of the other members of a project, whom a text can mention',
    responses: { 200: z.array(z.object({ name: z.string() })) },
  },
  visitProject: {
    ...ofMember,
    method: 'PUT',
    path: '/api/projects/:projectId/visit',
    summary: 'Record that I look at a project, so that its later entries are new to me',
  },
})
