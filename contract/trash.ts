import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { pageNumber, pagination } from './parts/pagination.ts'
import { date, fields, flag, id, ids } from './parts/wire.ts'

export const DELETIONS_PER_PAGE = 20

/** The header in which a call that deletes returns the id of the deletion, so that it can be undone. */
export const DELETION_ID = 'deletion-id'

/** A set of resources that were deleted together and can only be restored together. */
export const deletion = z.object({
  _id: id,
  kind: z.enum(['project', 'milestone', 'entry']),
  /** The title of the deleted resource; that of an entry may be empty. */
  title: z.string(),
  /** The project from which it was deleted; null for a project. */
  project: z.object({ _id: id, title: z.string() }).nullable(),
  /** The milestone of an entry. */
  milestoneTitle: z.string().optional(),
  deletedAt: date,
  /** Null if the account no longer exists. */
  deletedBy: z.object({ name: z.string() }).nullable(),
  /** The number of deleted milestones and entries, including the resource itself; of drafts only the caller's own. */
  milestones: z.int(),
  entries: z.int(),
  /** The time of permanent deletion. */
  endsAt: date,
  /** Whether the caller may delete it permanently. */
  canDelete: z.boolean(),
})
export type Deletion = z.infer<typeof deletion>

/** The location of the restored resource. */
export const restored = z.object({ project: id, milestone: id.optional(), entry: id.optional() })
export type Restored = z.infer<typeof restored>

export const trashPage = z.object({
  deletions: z.array(deletion),
  pagination,
  /** The days for which the trash keeps a deletion. */
  days: z.int(),
})
export type TrashPage = z.infer<typeof trashPage>

export const trashCalls = defineCalls({
  listTrash: {
    method: 'GET',
    path: '/api/trash',
    who: 'signed-in',
    scope: 'none',
    summary: 'The deletions that I may restore, latest first',
    query: z.object({ page: pageNumber.default(1) }),
    responses: { 200: trashPage },
  },
  restoreDeletion: {
    method: 'POST',
    path: '/api/trash/:deletionId/restore',
    who: 'signed-in',
    scope: 'none',
    summary:
      'Restore everything in a deletion; without withParents, fails with parent_deleted while a parent is in the trash',
    params: ids('deletionId'),
    body: fields({ withParents: flag('withParents') }),
    responses: { 200: restored },
  },
  deleteForEver: {
    method: 'DELETE',
    path: '/api/trash/:deletionId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Permanently delete something in the trash',
    params: ids('deletionId'),
    responses: { 204: null },
  },
})
