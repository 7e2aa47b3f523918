import { z } from 'zod'
import { ENTRY_STATES, renderedEntry } from './entries.ts'
import { defineCalls } from './parts/call.ts'
import { day } from './parts/dates.ts'
import { digits } from './parts/pagination.ts'
import { line } from './parts/text.ts'
import { date, fields, id, ids, version } from './parts/wire.ts'

/** The number of revisions on a page of a history. */
export const REVISIONS_PER_PAGE = 20
export const REVISION_NAME_MAX = 100

/** The causes of a revision: a save, the restoration of an older one, or a merge of two people's texts. */
export const REVISION_CAUSES = ['save', 'restore', 'merge'] as const

/** The content of an entry from one of its saves to the next. */
export const revision = z.object({
  _id: id,
  /** The version of the entry that has this text; the last one if several have it. */
  version,
  createdAt: date,
  /** The authors, including former members; several after a merge, none if unknown. */
  authors: z.array(z.object({ name: z.string() })),
  /** The name that somebody gave it, so that it is kept permanently. */
  name: z.string().nullable(),
  cause: z.enum(REVISION_CAUSES),
  /** Only the entry's author sees revisions from the time when it was a draft. */
  state: z.enum(ENTRY_STATES),
  title: z.string(),
  /** Null if the words were not counted. */
  wordCount: z.int().nullable(),
  /** Whether this is the current content of the entry. */
  isCurrent: z.boolean(),
})
export type Revision = z.infer<typeof revision>

/** A revision with its content, as Markdown and as HTML; the caller can read the pictures in it for about an hour. */
export const revisionText = revision.extend({
  content: z.string(),
  tags: z.array(z.string()),
  happenedAt: date,
  happenedOn: day,
  happenedZone: z.string(),
  html: z.string(),
})
export type RevisionText = z.infer<typeof revisionText>

/** A page of the history of an entry, newest first. `next` is the value of `before` for the next page; null on the last. */
export const revisionPage = z.object({ revisions: z.array(revision), next: version.nullable() })
export type RevisionPage = z.infer<typeof revisionPage>

const wholeNumber = (name: string) =>
  digits(`${name} must be a whole number`).pipe(z.number().min(1).max(2_147_483_647)).optional()

/** `version` returns only the revision with the text of that version, even if lists omit it. */
export const revisionQuery = z.object({ before: wholeNumber('before'), version: wholeNumber('version') })

export const revisionName = fields({
  name: line('A name', REVISION_NAME_MAX).nullable(),
})

const path = '/api/milestones/:milestoneId/entries/:entryId/revisions'
const ofRevision = ids('milestoneId', 'entryId', 'revisionId')

export const historyCalls = defineCalls({
  listRevisions: {
    method: 'GET',
    path,
    who: 'signed-in',
    scope: 'read',
    needs: 'content:edit',
    summary: 'The history of an entry, newest revision first',
    params: ids('milestoneId', 'entryId'),
    query: revisionQuery,
    responses: { 200: revisionPage },
  },
  readRevision: {
    method: 'GET',
    path: `${path}/:revisionId`,
    who: 'signed-in',
    scope: 'read',
    needs: 'content:edit',
    summary: 'One revision of an entry, with its text',
    params: ofRevision,
    responses: { 200: revisionText },
  },
  nameRevision: {
    method: 'PUT',
    path: `${path}/:revisionId`,
    who: 'signed-in',
    scope: 'write',
    needs: 'content:edit',
    summary: 'Name a revision, which is then kept forever, or remove its name',
    params: ofRevision,
    body: revisionName,
    responses: { 200: revision },
  },
  restoreRevision: {
    method: 'POST',
    path: `${path}/:revisionId/restore`,
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    summary: 'Restore an earlier revision of an entry, which adds a new revision',
    params: ofRevision,
    responses: { 200: renderedEntry },
  },
})
