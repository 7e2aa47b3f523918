import { readdir, readFile } from 'node:fs/promises'

/** The CPU time that a process has used so far, all its threads together, in microseconds, as Linux accounts for it. */
export async function cpuMicroseconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const used = await Promise.all(threads.map((thread) => threadNanoseconds(pid, thread)))
  return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1_000
}

async function threadNanoseconds(pid: number, thread: string): Promise<number> {
  const [onCpu = '0'] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')
  return Number(onCpu)
}

/** The middle of the values, and the lowest and the highest of them. */
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
