import { z } from 'zod'
import { FILE_NAME_MAX } from './files.ts'
import { defineCalls } from './parts/call.ts'
import { digits } from './parts/pagination.ts'
import { line, title } from './parts/text.ts'
import { date, fields, id, ids, list } from './parts/wire.ts'
import { VISIBILITIES, visibility } from './projects.ts'

/** The largest part of an archive that is sent at once, in bytes. */
export const IMPORT_PART_MAX = 8_000_000
/** For how many days an import can be undone. */
export const UNDO_DAYS = 7
export const IMPORT_SOURCES = [
  'milepost',
  'markdown',
  'notion',
  'dayone',
  'ghost',
  'wordpress',
  'memos',
  'journiv',
  'keep',
  'feed',
  'github',
] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

export const IMPORT_STATES = [
  'uploading',
  'inspecting',
  'planned',
  'running',
  'paused',
  'done',
  'undoing',
  'undone',
  'failed',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** What cannot come, by its reason. */
const problems = z.array(
  z.object({
    reason: z.string(),
    count: z.int(),
    /** The first of them. */
    paths: z.array(z.string()),
  }),
)
const named = z.array(z.object({ name: z.string(), count: z.int() }))

const counts = z.object({
  projects: z.int(),
  milestones: z.int(),
  entries: z.int(),
  files: z.int(),
})
export type ImportCounts = z.infer<typeof counts>

const plan = z.object({
  source: z.enum(IMPORT_SOURCES),
  projects: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      entries: z.int(),
      milestones: z.array(z.object({ key: z.string(), title: z.string(), entries: z.int() })),
    }),
  ),
  counts,
  /** Of the entries: those that are drafts, and those that an earlier import has brought and that are still there. */
  drafts: z.int(),
  here: z.int(),
  bytes: z.number(),
  /** How many different pictures its texts show from websites. */
  elsewhere: z.int(),
  /** The days of the first and the last entry. */
  from: z.string().nullable(),
  until: z.string().nullable(),
  authors: named,
  tags: named,
  problems,
})
export type ImportPlan = z.infer<typeof plan>

const report = z.object({
  /** What was created. */
  made: counts,
  here: z.int(),
  /** What the person has left out. */
  leftOut: z.int(),
  projects: z.array(z.object({ _id: id, title: z.string() })),
  problems,
  /** After an undo: what was kept because somebody has changed it since. */
  kept: z.array(z.string()),
})
export type ImportReport = z.infer<typeof report>

export const importRecord = z.object({
  _id: id,
  name: z.string(),
  size: z.number(),
  /** How many bytes of it have arrived; the next part begins here. */
  received: z.number(),
  state: z.enum(IMPORT_STATES),
  /** Why it was paused or has failed. */
  problem: z.string().nullable(),
  /** Of a running import: how many of its entries are done. */
  done: z.int(),
  plan: plan.nullable(),
  report: report.nullable(),
  undoUntil: date.nullable(),
  createdAt: date,
})
export type ImportRecord = z.infer<typeof importRecord>

const importStart = fields({
  name: line('The name of the file', FILE_NAME_MAX),
  size: z
    .int({ error: 'The size of the file must be a whole number' })
    .min(1, { error: 'The file is empty' }),
  /** Tells this file from another of the same name and size, such as the time of its last change. */
  fingerprint: z.string().max(200).default(''),
})
export type ImportStart = z.infer<typeof importStart>

export const importChoices = fields({
  /** Who may see the new projects. */
  visibility: visibility.default(VISIBILITIES[0]),
  /** Choices for projects of the plan, by their key; the others are created as planned. */
  projects: list(
    z.array(
      fields({
        key: z.string(),
        /** Another title of the new project. */
        title: title.optional(),
        /** A project of the person to which its milestones are added instead. */
        into: z.uuid().optional(),
        skip: z.boolean().default(false),
      }),
    ),
    2_000,
    'At most 2,000 projects can be chosen',
  ).default([]),
  /** Whether pictures on websites are copied; the texts link to those that are left. */
  pictures: z.enum(['left', 'copied']).default('left'),
  /** The keys of milestones that are left out. */
  skippedMilestones: list(z.array(z.string()), 20_000, 'At most 20,000 milestones can be left out').default(
    [],
  ),
})
export type ImportChoices = z.infer<typeof importChoices>

const NO_OFFSET = 'The offset must be a whole number from 0 on'
const importPart = z.object({
  importId: id,
  offset: digits(NO_OFFSET).pipe(z.number().min(0, { error: NO_OFFSET })),
})

export const importCalls = defineCalls({
  createImport: {
    method: 'POST',
    path: '/api/imports',
    who: 'signed-in',
    scope: 'manage',
    summary: 'Begin to bring an archive, or go on with the same file; its bytes are sent in parts',
    body: importStart,
    responses: { 200: importRecord },
  },
  sendImportPart: {
    method: 'PUT',
    path: '/api/imports/:importId/parts/:offset',
    who: 'signed-in',
    scope: 'manage',
    summary: `Send the bytes of an archive from an offset, at most ${IMPORT_PART_MAX.toLocaleString('en')} at once`,
    params: importPart,
    bytes: true,
    responses: { 200: importRecord },
  },
  listImports: {
    method: 'GET',
    path: '/api/imports',
    who: 'signed-in',
    scope: 'manage',
    summary: 'My imports, newest first, without their plans and reports',
    responses: { 200: z.array(importRecord) },
  },
  readImport: {
    method: 'GET',
    path: '/api/imports/:importId',
    who: 'signed-in',
    scope: 'manage',
    summary: 'One import: its progress, its plan and its report',
    params: ids('importId'),
    responses: { 200: importRecord },
  },
  runImport: {
    method: 'POST',
    path: '/api/imports/:importId/run',
    who: 'signed-in',
    scope: 'manage',
    // Its entries are published, as by `createEntry`, and may go to a project that others see.
    publishes: () => true,
    summary: 'Create what the plan of an import shows, or go on after a pause',
    params: ids('importId'),
    body: importChoices,
    responses: { 200: importRecord },
  },
  undoImport: {
    method: 'POST',
    path: '/api/imports/:importId/undo',
    who: 'signed-in',
    scope: 'manage',
    // What it deletes was published, as by `deleteEntry`, and may be in a project that others see.
    publishes: () => true,
    summary: `Delete what an import has created, within ${UNDO_DAYS} days; what was changed since is kept`,
    params: ids('importId'),
    responses: { 200: importRecord },
  },
  deleteImport: {
    method: 'DELETE',
    path: '/api/imports/:importId',
    who: 'signed-in',
    scope: 'manage',
    summary: 'Cancel an import that has not begun to create anything, or forget one that has ended',
    params: ids('importId'),
    responses: { 204: null },
  },
})
