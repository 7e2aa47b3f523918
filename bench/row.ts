import type { Stage } from './stage.ts'

/** What a row should come to. */
export type Aim = { atLeast: number } | { atMost: number }

/** What a row came to: the value that is held against its aim, the lowest and highest of its rounds, and what it was made of. */
export type Figure = { value: number; low: number; high: number; ours: string; yardstick: string }

/** One line of the table, without an aim where it only informs; `measure` starts what it needs on its stage, which is cleared afterwards. */
export type Row = {
  /** By which the command line asks for it. */
  name: string
  what: string
  /** Of the value; nothing for a ratio. */
  unit?: string
  aim?: Aim
  measure: (stage: Stage) => Promise<Figure>
}

/** What a row needs and this machine does not have, in one sentence. */
export class Missing extends Error {}

export const isMet = (aim: Aim, value: number) =>
  'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost
