import type { ImportChoices, ImportCounts } from '#contract/imports.ts'
import type { AppDeps } from '#server/deps.ts'
import {
  createProblems,
  type EntryItem,
  type FileItem,
  type ProblemList,
  type ProjectItem,
  type VersionItem,
} from '#server/import/items.ts'
import type { Targets } from '#server/import/resolve.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { AppError } from '#server/platform/api/errors.ts'

export type RunDeps = Pick<
  AppDeps,
  'db' | 'events' | 'files' | 'renderer' | 'quotas' | 'inspector' | 'fileSettings' | 'links' | 'log' | 'clock'
>

export type Run = {
  importId: string
  caller: Caller
  /** The name of the person, whose texts are theirs. */
  ownName: string
  choices: ImportChoices
  targets: Targets
  /** The file with the items. */
  lines: string
  /** Takes a file out of the archive, or from its website, which alone knows its name and size. */
  extract: (item: FileItem, to: string) => Promise<Taken>
  /**
   * Called after each entry, and before each picture of a website; throws if the import is to stop. `mayPause`: whether it has got so far that
   * it may let another go first.
   */
  advance: (done: number, mayPause?: boolean) => Promise<void>
}

export type Taken = { refused: string } | { name?: string; size?: number }

/** A run, and what it has created or found so far. */
export type Progress = Run & {
  deps: RunDeps
  choiceOf: ReadonlyMap<string, ImportChoices['projects'][number]>
  skipped: ReadonlySet<string>
  problems: ProblemList
  made: ImportCounts
  /** Entries that an earlier import has brought, and those whose milestone was left out. */
  here: number
  leftOut: number
  /** By their refs, as all maps here. A milestone that was left out is null. */
  projects: Map<string, { id: string; item: ProjectItem }>
  milestones: Map<string, { id: string; projectId: string } | null>
  files: Map<string, FileItem>
  /** The files that are being stored, which ends with whether they could be, and those that are. */
  storing: Map<string, Promise<boolean>>
  stored: Set<string>
  /** Which of these are pictures, and which pictures on websites were asked for. */
  pictures: Set<string>
  copies: Set<string>
  /** How many files this run has uploaded. */
  uploaded: number
  /** The entry that came last. */
  latest: Place | null
  /** What is created next, together. */
  entries: (InProject & { item: EntryItem; milestoneId: string })[]
  versions: (InProject & { item: VersionItem; entryId: string })[]
}

type InProject = { projectId: string }
type Place = InProject & { ref: string; id: string }

export const beginProgress = (deps: RunDeps, run: Run): Progress => ({
  ...run,
  deps,
  choiceOf: new Map(run.choices.projects.map((choice) => [choice.key, choice])),
  skipped: new Set(run.choices.skippedMilestones),
  problems: createProblems(),
  made: { projects: 0, milestones: 0, entries: 0, files: 0 },
  here: 0,
  leftOut: 0,
  projects: new Map(),
  milestones: new Map(),
  files: new Map(),
  storing: new Map(),
  stored: new Set(),
  pictures: new Set(),
  copies: new Set(),
  uploaded: 0,
  latest: null,
  entries: [],
  versions: [],
})

/** Returns when an item was created and changed, as its source knew. */
export const recordOf = (
  { createdAt, updatedAt, version = 1 }: { createdAt?: string; updatedAt?: string; version?: number },
  now: Date,
) => ({
  createdAt: createdAt === undefined ? now : new Date(createdAt),
  updatedAt: new Date(updatedAt ?? createdAt ?? now),
  version,
})

/** Whether the same may succeed later. */
export const isPassing = (error: AppError): boolean =>
  ['too_many_requests', 'unavailable', 'too_slow'].includes(error.code)
