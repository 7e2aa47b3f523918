import { readdir, readFile } from 'node:fs/promises'
import type { Stage } from './stage.ts'

/** The aim of a row. */
export type Aim = { atLeast: number } | { atMost: number }

/** The result of a row: the value to compare with its aim, the lowest and highest of its rounds, and the two measurements. */
export type Figure = { value: number; low: number; high: number; ours: string; baseline: string }

/** One row of the table, without an aim if it is only informative. `measure` opens what it needs on its stage, which is torn down afterwards. */
export type Row = {
  /** The name on the command line. */
  name: string
  what: string
  /** The unit of the value; absent for a ratio. */
  unit?: string
  aim?: Aim
  /** Takes minutes, so it runs only if it is named. */
  isLong?: boolean
  /** Resources on `shared` are available to later rows, and torn down after the last. */
  measure: (stage: Stage, shared: Stage) => Promise<Figure>
}

/** Thrown if this machine lacks something that a row needs. The message is one sentence. */
export class Missing extends Error {}

export const isMet = (aim: Aim, value: number) =>
  'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost

const ROUNDS = 6

/** The measurements of one round: the product's and the baseline's. */
type Round = { ours: number; baseline: number }

/** Measures both alternately, in six rounds after a warm-up round. */
export async function alternate(
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
  rounds = ROUNDS,
): Promise<Round[]> {
  const all: Round[] = []
  for (let round = 0; round <= rounds; round += 1)
    all.push({ ours: await ours(), baseline: await baseline() })
  return all.slice(1)
}

/** Returns the CPU time of a process for each of `count` pieces of work, in microseconds. */
export async function costOfEach(pid: number, count: number, work: () => Promise<unknown>): Promise<number> {
  const before = await cpuMicroseconds(pid)
  await work()
  return ((await cpuMicroseconds(pid)) - before) / count
}

/** Returns the ratio of the medians, with the lowest and the highest ratio of a round. */
export function figureOf(
  rounds: Round[],
  ratio: (round: Round) => number,
  format: (value: number) => string,
): Figure {
  const [ours, baseline] = [spread(rounds.map((one) => one.ours)), spread(rounds.map((one) => one.baseline))]
  const { low, high } = spread(rounds.map(ratio))
  const value = ratio({ ours: ours.median, baseline: baseline.median })
  return { value, low, high, ours: format(ours.median), baseline: format(baseline.median) }
}

export const milliseconds = (microseconds: number) => `${(microseconds / 1000).toFixed(3)} ms`

/** Returns the CPU time that a process and all its threads have used so far, in microseconds. */
export async function cpuMicroseconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const used = await Promise.all(threads.map((thread) => threadNanoseconds(pid, thread)))
  return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1_000
}

async function threadNanoseconds(pid: number, thread: string): Promise<number> {
  // A thread that has ended meanwhile is not counted.
  const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
  const [onCpu = '0'] = stat.split(' ')
  return Number(onCpu)
}

/** Returns the median, the lowest and the highest of the values. */
export function spread(values: number[]): { median: number; low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    low: at(0),
    high: at(sorted.length - 1),
  }
}
