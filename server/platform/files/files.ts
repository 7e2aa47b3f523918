import type { Readable } from 'node:stream'

/** The bytes of a file on their way out: `size` of them, be it the file or a part of it. */
export type StoredFile = { bytes: Readable; size: number }

/** A part of a file: its first byte and its last. */
export type ByteRange = { start: number; end: number }

/** Where files lie: a folder or a bucket. A key is lower-case words with slashes between, made by the server alone. */
export type Files = {
  /** Keeps a file; when this is done, it outlives a crash. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  /** Keeps a file of the disk, which may be moved away. No more than a little of it is in memory at a time. */
  putFile(key: string, file: string, type: string): Promise<void>
  /** Null where there is none. A `part` must be within the file. */
  read(key: string, part?: ByteRange): Promise<StoredFile | null>
  /** Removes a file, or the remains of a failed `put`, if there are any. */
  remove(key: string): Promise<void>
  /** A folder on this machine for what is not stored yet; what is in it is moved at little cost. */
  incoming: string
}
