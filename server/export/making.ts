import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { Client } from '#server/platform/limits/fair-queue.ts'
import type { TemporaryFile } from './temporary-file.ts'
import type { ZipEntry } from './zip.ts'

/** What an export is made with; `caller`: who may take it out, null for a reader without an account. */
export type Making<C extends Caller | null = Caller | null> = {
  deps: AppDeps
  caller: C
  client: Client
  features: readonly Feature[]
  /** Opens a file for what was collected, which is closed when the export has been sent. */
  openFile: () => Promise<TemporaryFile>
  madeAt: Date
}

/** An export: a ZIP archive of files that are read while it is sent, or a single text. */
export type Exported = {
  name: string
  type: string
  /** Ends when everything is collected; absent if it is. Until then, what is there already is sent. */
  collected?: Promise<unknown>
} & ({ entries: AsyncIterable<ZipEntry> } | { text: string })

export const ZIP = 'application/zip'

/** Returns the file name of an archive: what is in it, and the day. */
export const archiveName = (stem: string, madeAt: Date) => `${stem}-${madeAt.toISOString().slice(0, 10)}.zip`
