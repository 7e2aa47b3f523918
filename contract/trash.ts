import { z } from 'zod'
import { defineCalls } from './call.ts'
import { pageNumber, pagination } from './pagination.ts'
import { date, fields, flag, id, ids } from './wire.ts'

export const DELETIONS_PER_PAGE = 20

/** The header by which a call that deletes names the deletion, for taking it back. */
export const DELETION_ID = 'deletion-id'

/** What was deleted at once, and can be restored at once. */
export const deletion = z.object({
  _id: id,
  kind: z.enum(['project', 'milestone', 'entry']),
  /** Of what was deleted; that of an entry may be empty. */
  title: z.string(),
  /** What it was deleted from; null for a project. */
  project: z.object({ _id: id, title: z.string() }).nullable(),
  /** The milestone of an entry. */
  milestoneTitle: z.string().optional(),
  deletedAt: date,
  /** Null where the account is gone. */
  deletedBy: z.object({ name: z.string() }).nullable(),
  /** How many were deleted, one that was deleted by itself included; of drafts only my own. */
  milestones: z.int(),
  entries: z.int(),
  /** When it is deleted for ever. */
  endsAt: date,
  /** Whether I may delete it for ever. */
  canDelete: z.boolean(),
})
export type Deletion = z.infer<typeof deletion>

/** Where something restored is. */
export const restored = z.object({ project: id, milestone: id.optional(), entry: id.optional() })
export type Restored = z.infer<typeof restored>

export const trashPage = z.object({
  deletions: z.array(deletion),
  pagination,
  /** How many days something stays in the trash. */
  days: z.int(),
})
export type TrashPage = z.infer<typeof trashPage>

export const trashCalls = defineCalls({
  listTrash: {
    method: 'GET',
    path: '/api/trash',
    who: 'signed-in',
    scope: 'none',
    summary: 'What was deleted and I may restore, the last first',
    query: z.object({ page: pageNumber.default(1) }),
    responses: { 200: trashPage },
  },
  restoreDeletion: {
    method: 'POST',
    path: '/api/trash/:deletionId/restore',
    who: 'signed-in',
    scope: 'none',
    summary: 'Restore what was deleted at once; refused with parent_deleted while it has no place to go to',
    params: ids('deletionId'),
    body: fields({ withParents: flag('withParents') }),
    responses: { 200: restored },
  },
  deleteForEver: {
    method: 'DELETE',
    path: '/api/trash/:deletionId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Delete something in the trash for ever',
    params: ids('deletionId'),
    responses: { 204: null },
  },
})
