import type { ImportSource } from '#contract/imports.ts'
import { withEllipsis } from '#contract/parts/characters.ts'
import type { Visibility } from '#contract/projects.ts'
import { storable } from './converting/texts.ts'

/** Where an archive may come from. */

export type Source = ImportSource

/** What a converter makes of an archive, in the order in which it is created. `key`: the id at the source. `ref`: a UUID by which texts refer to it. */
export type Item = Thing | VersionItem

/** What gets an id here. */
export type Thing = ProjectItem | MilestoneItem | FileItem | EntryItem

type Common = { key: string; ref: string; createdAt?: string; updatedAt?: string; version?: number }

export type ProjectItem = Common & {
  kind: 'project'
  title: string
  description: string
  visibility?: Visibility
  /** The `ref` of its cover; null for none by choice. */
  cover?: string | null
}

export type MilestoneItem = Common & {
  kind: 'milestone'
  /** The `ref` of its project. */
  project: string
  title: string
  description: string
  completed?: boolean
  startsOn?: string | null
  dueOn?: string | null
  reachedAt?: string | null
}

export type FileItem = Common & {
  kind: 'file'
  project: string
  /** The index of the item in the archive. */
  at: number
  path: string
  name: string
  size: number
  /** Which of the pictures in the text of the item it is; absent for the item itself. */
  embedded?: number
  /** Where it is on a website, if it is not in the archive. */
  address?: string
  takenAt?: string
}

export type Happened = { at: string; on: string; zone: string }

export type EntryItem = Common & {
  kind: 'entry'
  path: string
  milestone: string
  title: string
  content: string
  tags: string[]
  isDraft: boolean
  happened: Happened
  publishedAt?: string | null
  author?: string | null
  cover?: string | null
  /** Where its cover is on a website, if it is not in the archive. */
  coverAddress?: string
  /** What the history of its source says of its present text. */
  latest?: VersionFacts
}

/** What a history says of a version besides its text; `begunAt`: the first of the saves that it lists as one. */
export type VersionFacts = {
  firstVersion: number
  version: number
  begunAt: string
  createdAt: string
  authors: string[]
  name: string | null
  cause: 'save' | 'restore' | 'merge'
  wordCount: number | null
}

/** An earlier version of the entry before it. Nothing refers to it. */
export type VersionItem = VersionFacts &
  Pick<EntryItem, 'title' | 'content' | 'tags' | 'isDraft' | 'happened' | 'cover'> & {
    kind: 'version'
    /** The `ref` of its entry. */
    entry: string
  }

/** What cannot come, by the reason: how many, and where they are. */
export type Problems = { reason: string; count: number; paths: string[] }[]

/** How many paths are listed for a reason, how much of each, and how many reasons. */
const PATHS_MAX = 1_000
const PATH_MAX = 300
const REASONS_MAX = 200

/** Collects what cannot come. */
export function createProblems() {
  const byReason = new Map<string, { count: number; paths: string[] }>()
  return {
    add(reason: string, path: string) {
      const shown = withEllipsis(storable(reason), PATH_MAX)
      const named = byReason.has(shown) || byReason.size < REASONS_MAX ? shown : 'it cannot be read'
      const known = byReason.get(named) ?? { count: 0, paths: [] }
      byReason.set(named, known)
      known.count += 1
      if (known.paths.length < PATHS_MAX) known.paths.push(withEllipsis(storable(path), PATH_MAX))
    },
    list: (): Problems => [...byReason].map(([reason, known]) => ({ reason, ...known })),
  }
}
export type ProblemList = ReturnType<typeof createProblems>

/** A reason for which a whole archive is refused, as a sentence for its owner. */
export class Refused extends Error {}
