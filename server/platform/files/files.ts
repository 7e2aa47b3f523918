import type { Readable } from 'node:stream'

/** The bytes of a file on their way out. */
export type StoredFile = { bytes: Readable; size: number }

/** Where files lie: a folder or a bucket. A key is lower-case words with slashes between, made by the server alone. */
export type Files = {
  /** Keeps a file; when this is done, it outlives a crash. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  /** Null where there is none. */
  read(key: string): Promise<StoredFile | null>
  /** Removes a file, or what a broken `put` has left of it; it need not be there. */
  remove(key: string): Promise<void>
}
