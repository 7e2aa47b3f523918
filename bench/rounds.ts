import { cpuMicroseconds, spread } from './cpu.ts'
import type { Figure } from './row.ts'

const ROUNDS = 6

/** What one round gave for us and for the yardstick. */
type Round = { ours: number; yardstick: number }

/** Lets the two take turns, six times after a first that only warms up. */
export async function alternate(
  ours: () => Promise<number>,
  yardstick: () => Promise<number>,
  rounds = ROUNDS,
): Promise<Round[]> {
  const all: Round[] = []
  for (let round = 0; round <= rounds; round += 1)
    all.push({ ours: await ours(), yardstick: await yardstick() })
  return all.slice(1)
}

/** The microseconds of processor time that a process needs for each of so many pieces of work. */
export async function costOfEach(pid: number, count: number, work: () => Promise<unknown>): Promise<number> {
  const before = await cpuMicroseconds(pid)
  await work()
  return ((await cpuMicroseconds(pid)) - before) / count
}

/** The ratio of the medians, with the lowest and the highest ratio of a round. */
export function figureOf(
  rounds: Round[],
  ratio: (round: Round) => number,
  tell: (value: number) => string,
): Figure {
  const [ours, yardstick] = [
    spread(rounds.map((one) => one.ours)),
    spread(rounds.map((one) => one.yardstick)),
  ]
  const { low, high } = spread(rounds.map(ratio))
  const value = ratio({ ours: ours.median, yardstick: yardstick.median })
  return { value, low, high, ours: tell(ours.median), yardstick: tell(yardstick.median) }
}

export const milliseconds = (microseconds: number) => `${(microseconds / 1000).toFixed(3)} ms`
