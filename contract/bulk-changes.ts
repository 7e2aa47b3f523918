import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { composed, isStorable } from './parts/characters.ts'
import { TAG_MAX } from './parts/list-options.ts'
import { singleLine } from './parts/text.ts'
import { fields, id, ids, list } from './parts/wire.ts'

/** How many entries are moved or deleted at once. */
export const ENTRIES_AT_ONCE = 100

/** How many tags a list of those of a project has. */
export const TAGS_LISTED_MAX = 1_000

/** The id with which a change can be undone for a day; null if nothing has changed. */
const undo = id.nullable()

const entries = (verb: string) =>
  list(
    z.array(z.uuid({ error: 'entries must be ids of entries' }), { error: 'entries must be a list of ids' }),
    ENTRIES_AT_ONCE,
    `At most ${ENTRIES_AT_ONCE} entries are ${verb} at once`,
  ).pipe(z.array(z.string()).min(1, { error: 'entries must have at least one id' }))

/** Entries of one project, and the milestone to which they move. */
const movedEntries = fields({
  entries: entries('moved'),
  milestone: z.uuid({ error: 'milestone must be the id of a milestone' }),
})
export type MovedEntries = z.infer<typeof movedEntries>

const deletedEntries = fields({ entries: entries('deleted') })
export type DeletedEntries = z.infer<typeof deletedEntries>

/** Another name of a tag. */
const tagChange = fields({ name: singleLine('The name of a tag', TAG_MAX).overwrite(composed) })
export type TagChange = z.output<typeof tagChange>

/** How many entries had the tag, and whether the project had one of the new name before. */
const renamedTag = z.object({ entries: z.int(), merged: z.boolean(), undo })
export type RenamedTag = z.infer<typeof renamedTag>

/** The tags of a project by name. `isCut`: it has more than are listed. */
const tagList = z.object({
  tags: z.array(z.object({ name: z.string(), entries: z.int() })),
  isCut: z.boolean(),
})
export type TagList = z.infer<typeof tagList>

export const bulkChangeCalls = defineCalls({
  listTags: {
    method: 'GET',
    path: '/api/projects/:projectId/tags',
    who: 'either',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: 'The tags of a project, and how many published entries have each; the first 1,000 by name',
    params: ids('projectId'),
    responses: { 200: tagList },
  },
  renameTag: {
    method: 'PUT',
    path: '/api/projects/:projectId/tags/:tag',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    mcp: {},
    cli: {},
    summary:
      'Rename a tag in up to 1,000 entries of a project, or merge it with the tag that has the new name; all of them or none',
    params: ids('projectId').extend({ tag: z.string().refine(isStorable).overwrite(composed) }),
    body: tagChange,
    responses: { 200: renamedTag },
  },
  moveEntries: {
    method: 'PUT',
    path: '/api/projects/:projectId/entries/move',
    who: 'signed-in',
    scope: 'write',
    publishes: () => true,
    needs: 'content:edit',
    mcp: {},
    cli: {},
    summary:
      'Move up to 100 entries of a project to another milestone, which may be in another project; all of them or none',
    params: ids('projectId'),
    body: movedEntries,
    responses: { 200: z.object({ moved: z.int(), undo }) },
  },
  deleteEntries: {
    method: 'PUT',
    path: '/api/projects/:projectId/entries/delete',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    summary: 'Move up to 100 entries of a project to the trash, each on its own; all of them or none',
    params: ids('projectId'),
    body: deletedEntries,
    responses: { 200: z.object({ deleted: z.int(), undo }) },
  },
  undoBulkChange: {
    method: 'PUT',
    path: '/api/projects/:projectId/bulk-changes/:bulkChangeId/undo',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    mcp: {},
    cli: {},
    summary:
      'Undo a change of several entries that I made within a day; entries that were changed again since stay as they are',
    params: ids('projectId', 'bulkChangeId'),
    responses: { 200: z.object({ entries: z.int() }) },
  },
})
