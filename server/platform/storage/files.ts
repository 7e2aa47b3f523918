import type { Readable } from 'node:stream'

/** A stream of `size` bytes, of a whole file or a part of it. */
export type StoredFile = { bytes: Readable; size: number }

/** A part of a file, by its first and last byte. */
export type ByteRange = { start: number; end: number }

/** Stores files in a folder or a bucket. A key is lower-case words separated by slashes; only the server creates keys. */
export type Files = {
  /** Stores a file durably: once this resolves, the file survives a crash. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  /** Stores a file from the disk, which may be moved. It is streamed, not read into memory. */
  putFile(key: string, file: string, type: string): Promise<void>
  /** Returns null if there is no such file. A `part` must be within the file. */
  read(key: string, part?: ByteRange): Promise<StoredFile | null>
  /** Removes a file or the remains of a failed `put`, if they exist. */
  remove(key: string): Promise<void>
  /** A local folder for files that are not stored yet; moving them from there is cheap. */
  incoming: string
}
