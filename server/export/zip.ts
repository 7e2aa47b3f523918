import { pipeline, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, crc32, createDeflateRaw } from 'node:zlib'
import { centralRecord, dataDescriptor, endRecords, localHeader, type Written } from './zip-records.ts'

/** A file of an archive. `size` is how many bytes are expected. */
export type ZipEntry = {
  path: string
  mtime: Date
  size: number
  bytes: AsyncIterable<Buffer>
  /** Whether the bytes are compressed already, so that they are only wrapped. */
  isCompressed: boolean
  /** Whether it is stored as it is, with its size before it, as the first file of an EPUB has to be. It must be small. */
  isStored?: boolean
}

/**
 * Writes a ZIP archive that can also be read as a stream, from its beginning. A file's size and checksum follow its bytes, and
 * its end is found without them: each is a stream of deflate, since streaming readers refuse stored files of unknown size.
 * Nothing is read before it is needed.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const { path, mtime, size, bytes, isCompressed, isStored = false } of entries) {
    const record: Written = {
      path,
      mtime,
      offset,
      expected: size,
      size: 0,
      compressedSize: 0,
      crc: 0,
      isStored,
    }
    if (isStored) {
      const whole = await buffer(bytes)
      Object.assign(record, { size: whole.length, compressedSize: whole.length, crc: crc32(whole) })
      const parts = [localHeader(record), whole]
      yield* parts
      for (const part of parts) offset += part.length
      written.push(record)
      continue
    }
    const header = localHeader(record)
    yield header
    const level = isCompressed ? constants.Z_NO_COMPRESSION : constants.Z_DEFAULT_COMPRESSION
    // Errors of each stream reach the loop, which also ends them when the reader goes away.
    const deflated = pipeline(bytes, measure(record), createDeflateRaw({ level }), () => undefined)
    for await (const chunk of deflated as AsyncIterable<Buffer>) {
      record.compressedSize += chunk.length
      yield chunk
    }
    const descriptor = dataDescriptor(record)
    yield descriptor
    offset += header.length + record.compressedSize + descriptor.length
    written.push(record)
  }
  const start = offset
  for (const record of written) {
    const central = centralRecord(record)
    yield central
    offset += central.length
  }
  yield endRecords({ count: written.length, start, size: offset - start })
}

/** Passes bytes on, and counts them and their checksum. */
const measure = (record: Written) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      record.size += chunk.length
      record.crc = crc32(chunk, record.crc)
      done(null, chunk)
    },
  })
