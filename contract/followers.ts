import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { fields, ids } from './parts/wire.ts'

const emails = z.boolean({ error: 'emails must be true or false' })
const reactions = z.boolean({ error: 'reactions must be true or false' })
const downloads = z.boolean({ error: 'downloads must be true or false' })

/** What a project offers its readers, and how many follow it. Nobody sees who they are. */
export const readers = z.object({
  /** Whether readers of the public project can follow it by email. */
  emails: z.boolean(),
  /** Whether readers, also those with a private link, can react to entries. */
  reactions: z.boolean(),
  /** Whether readers of the public project can download it as a book and as a website. */
  downloads: z.boolean(),
  /** Whether this server sends email at all. */
  sendsMail: z.boolean(),
  /** The number of people who follow the project by email, and have confirmed it. */
  followers: z.int(),
})
export type Readers = z.infer<typeof readers>

export const readersChange = fields({
  emails: emails.optional(),
  reactions: reactions.optional(),
  downloads: downloads.optional(),
})
export type ReadersChange = z.infer<typeof readersChange>

const managed = {
  who: 'signed-in',
  scope: 'manage',
  needs: 'project:edit',
  path: '/api/projects/:projectId/readers',
  params: ids('projectId'),
  responses: { 200: readers },
} as const

export const followerCalls = defineCalls({
  readReaders: {
    ...managed,
    method: 'GET',
    summary: 'What a project offers its readers, and how many follow it by email',
  },
  changeReaders: {
    ...managed,
    method: 'PUT',
    changesPublic: true,
    summary:
      'Choose whether readers of a public project can follow it by email and download it, and whether readers can react to entries',
    body: readersChange,
  },
})
