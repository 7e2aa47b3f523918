import { readdir, readFile } from 'node:fs/promises'

/** The megabytes (of 1,000,000 bytes) that a process alone has in memory now, shared pages and all. */
export async function residentMegabytes(pid: number): Promise<number> {
  return kilobytes(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmRSS')
}

/** The megabytes of a process and all that descend from it, each page shared among several counted once. */
export async function familyMegabytes(pid: number): Promise<number> {
  const own = kilobytes(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')
  const children = (await processes()).filter(({ parent }) => parent === pid)
  const theirs = await Promise.all(children.map((child) => familyMegabytes(child.pid)))
  return theirs.reduce((sum, one) => sum + one, own)
}

async function processes(): Promise<{ pid: number; parent: number }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => {
      // One that has just ended has no parent any more.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return { pid: Number(pid), parent: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) }
    }),
  )
}

const kilobytes = (text: string, name: string) =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024) / 1e6
