import { statfs } from 'node:fs/promises'
import type { BaseLogger } from 'pino'
import type { ScheduledTask } from './schedule.ts'

/** The space of a disk, in bytes. */
export type Space = { free: number; total: number }

/** The disk of this server, as far as Milepost stores something on it. */
export type Disk = {
  /** Returns the space of the disk with the data directory; undefined if nothing is stored there. */
  readSpace: () => Promise<Space | undefined>
  /** Returns whether nothing can be saved: the disk has no space left, or a write failed for that reason moments ago. */
  isFull: () => Promise<boolean>
  /** Records a failure that `isDiskFull` recognized, also of a database or bucket elsewhere. */
  reportFull: () => void
}

/** Below this, PostgreSQL may not get the next segment of its log (16 MB). */
const FULL_BYTES = 32_000_000
/** How long a failed write elsewhere counts, because nothing tells when there is space again. */
const REPORTED_MS = 30_000
/** Below both, administrators are warned. */
const LOW_BYTES = 2_000_000_000
const LOW_SHARE = 0.1

/** Watches the disk with this folder; undefined: nothing is stored on this machine. */
export function watchDisk(folder: string | undefined, clock: () => Date): Disk {
  let reportedAt = 0
  const readSpace = async () => {
    if (folder === undefined) return undefined
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  }
  return {
    readSpace,
    isFull: async () => {
      if (clock().getTime() - reportedAt < REPORTED_MS) return true
      const space = await readSpace()
      return space !== undefined && space.free < FULL_BYTES
    },
    reportFull: () => {
      reportedAt = clock().getTime()
    },
  }
}

/** Returns whether a disk with this space is nearly full. */
export const isLow = ({ free, total }: Space): boolean => free < LOW_BYTES && free < total * LOW_SHARE

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', '53100', 'XMinioStorageFull'])

/** Returns whether something failed because a disk was full: this server's, the database's or the bucket's. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && FULL_CODES.has(String(error.code))) || FULL_CODES.has(error.name))

/** Logs a warning while the disk is nearly full. */
export const diskWarning = ({ disk, log }: { disk: Disk; log: Pick<BaseLogger, 'warn'> }): ScheduledTask => ({
  name: 'check of the disk',
  everyMs: 600_000,
  run: async () => {
    const space = await disk.readSpace()
    if (space && isLow(space)) log.warn(space, 'the disk with the data directory is nearly full')
  },
})
