import type { ShownEntryState } from '#contract/entries.ts'
import type { ImportSource } from '#contract/imports.ts'

/** Takes the place of the bytes of a picture. */
export const PICTURE = Symbol('picture')

export type ExpectedEntry = {
  milestone: string
  on: string
  at?: string
  state?: ShownEntryState
  tags?: string[]
  author?: string | null
  /** Texts in its content. `{Title}` is the address of the entry with that title. */
  has?: string[]
  hasNot?: string[]
  /** How many files of this server it shows. */
  files?: number
  cover?: boolean
}

/** An archive of a program, made by ourselves, with its oddities, and what arrives of it. */
export type Sample = {
  source: ImportSource
  name: string
  /** The content of a ZIP, or a single file. */
  files: { [path: string]: string | typeof PICTURE }
  counts: { projects: number; milestones: number; entries: number; files: number }
  projects: string[]
  /** By the title. */
  entries: { [title: string]: ExpectedEntry }
  /** Reasons and paths of what does not come as it is. */
  problems: { [reason: string]: string[] }
}

export const json = (value: unknown) => JSON.stringify(value, null, 2)
