import { z } from 'zod'
import { defineCalls } from './call.ts'
import { day } from './dates.ts'
import { ENTRY_STATES, renderedEntry } from './entries.ts'
import { digits } from './pagination.ts'
import { line } from './text.ts'
import { date, fields, id, ids, version } from './wire.ts'

/** How many revisions a page of a history has. */
export const REVISIONS_PER_PAGE = 20
export const REVISION_NAME_MAX = 100

/** How a revision came to be: saved, by restoring an older one, or by joining what two people wrote. */
export const REVISION_CAUSES = ['save', 'restore', 'merge'] as const

/** What an entry was from one of its saves on. */
export const revision = z.object({
  _id: id,
  /** The version of the entry that has this text; the last one where several have it. */
  version,
  createdAt: date,
  /** Who wrote it, also when they have left; several after a merge, none where that is not known. */
  authors: z.array(z.object({ name: z.string() })),
  /** What somebody called it, so that it is kept for ever. */
  name: z.string().nullable(),
  cause: z.enum(REVISION_CAUSES),
  /** What was written while the entry was a draft is seen by the entry's author alone. */
  state: z.enum(ENTRY_STATES),
  title: z.string(),
  /** Null where the words were not counted. */
  wordCount: z.int().nullable(),
  /** Whether it is what the entry is now. */
  isCurrent: z.boolean(),
})
export type Revision = z.infer<typeof revision>

/** A revision with what was written, as Markdown and as HTML whose pictures the caller can read for about an hour. */
export const revisionText = revision.extend({
  content: z.string(),
  tags: z.array(z.string()),
  happenedAt: date,
  happenedOn: day,
  happenedZone: z.string(),
  html: z.string(),
})
export type RevisionText = z.infer<typeof revisionText>

/** A page of the history of an entry, the newest first. `next` continues it, as `before`; null at its end. */
export const revisionPage = z.object({ revisions: z.array(revision), next: version.nullable() })
export type RevisionPage = z.infer<typeof revisionPage>

const wholeNumber = (name: string) =>
  digits(`${name} must be a whole number`).pipe(z.number().min(1).max(2_147_483_647)).optional()

/** With `version` the one revision that has the text of that version, also where lists leave it out. */
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
    summary: 'The history of an entry, the newest revision first',
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
    summary: 'Name a revision, which is then kept for ever, or take its name away',
    params: ofRevision,
    body: revisionName,
    responses: { 200: revision },
  },
  restoreRevision: {
    method: 'POST',
    path: `${path}/:revisionId/restore`,
    who: 'signed-in',
    scope: 'write',
    needs: 'content:edit',
    summary: 'Make an entry again what it was; that is a revision of its own',
    params: ofRevision,
    responses: { 200: renderedEntry },
  },
})
