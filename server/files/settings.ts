import { z } from 'zod'
import type { FileLimits } from '#contract/files.ts'
import { MEGABYTE } from '#contract/parts/sizes.ts'
import { megabytes, whole } from '#server/platform/settings.ts'

const MEGAPIXEL = 1_000_000

/** Limits of files and of their number in an entry, and the hosts of embeddable videos. */
export type FileSettings = {
  fileLimits: FileLimits
  /** The maximum pixels of a picture, all frames together. */
  pixelsMax: number
  /** The PeerTube hosts whose videos texts may embed. */
  videoHosts: readonly string[]
}

const host = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/

/** The environment variables that limit files. */
export const fileVariables = {
  PICTURE_MAX_MB: megabytes(10_000).default(25 * MEGABYTE),
  PICTURE_MAX_MEGAPIXELS: whole(1, 500).default(50),
  VIDEO_MAX_MB: megabytes(10_000).default(200 * MEGABYTE),
  FILE_MAX_MB: megabytes(10_000).default(25 * MEGABYTE),
  ENTRY_FILES_MAX: whole(1, 1_000).default(100),
  VIDEO_HOSTS: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .refine(
      (hosts) => hosts.every((name) => host.test(name)),
      'must be a list of hosts such as "tube.example.org"',
    )
    .default([]),
}

const variables = z.object(fileVariables)

export function filesOf(read: z.output<typeof variables>): FileSettings {
  return {
    fileLimits: {
      picture: read.PICTURE_MAX_MB,
      video: read.VIDEO_MAX_MB,
      other: read.FILE_MAX_MB,
      perEntry: read.ENTRY_FILES_MAX,
    },
    pixelsMax: read.PICTURE_MAX_MEGAPIXELS * MEGAPIXEL,
    videoHosts: read.VIDEO_HOSTS,
  }
}

/** The default limits, for tests and scripts. */
export const defaultFileSettings: FileSettings = filesOf(variables.parse({}))
