import { readdir, readFile } from 'node:fs/promises'

/** Returns the resident memory of one process, shared pages included, in megabytes of 1,000,000 bytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  return megabytes(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmRSS')
}

/** Returns the memory of a process and all its descendants in megabytes, counting each shared page once. */
export async function processTreeMegabytes(pid: number): Promise<number> {
  const own = megabytes(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')
  const children = (await processes()).filter(({ parent }) => parent === pid)
  const theirs = await Promise.all(
    // A child that has just exited takes nothing.
    children.map((child) => processTreeMegabytes(child.pid).catch(() => 0)),
  )
  return theirs.reduce((sum, one) => sum + one, own)
}

async function processes(): Promise<{ pid: number; parent: number }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => {
      // A process that has just exited no longer has a parent.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return { pid: Number(pid), parent: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) }
    }),
  )
}

const megabytes = (text: string, name: string) =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024) / 1e6
