import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, inflateRawSync } from 'node:zlib'
import { array, assert, asyncProperty, boolean, record, string, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { writeZip, type ZipEntry } from './zip.ts'
import { centralRecord, dataDescriptor, endRecords, localHeader, type Written } from './zip-records.ts'

const MTIME = new Date('2026-03-04T20:00:02Z')
type File = { path: string; bytes: Buffer; isCompressed: boolean }

async function archiveOf(files: File[]): Promise<Buffer> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const { bytes, ...file } of files)
      yield {
        ...file,
        mtime: MTIME,
        size: bytes.length,
        bytes: Readable.from(bytes.length > 0 ? [bytes] : []),
      }
  }
  return buffer(Readable.from(writeZip(entries())))
}

/** Reads an archive from its beginning, without its directory: a file ends where its deflate stream does. */
function streamed(archive: Buffer): { path: string; bytes: Buffer; flags: number; method: number }[] {
  const found = []
  let at = 0
  while (archive.readUInt32LE(at) === 0x0403_4b50) {
    const [nameLength, extraLength] = [archive.readUInt16LE(at + 26), archive.readUInt16LE(at + 28)]
    const [flags, method] = [archive.readUInt16LE(at + 6), archive.readUInt16LE(at + 8)]
    const path = archive.subarray(at + 30, at + 30 + nameLength).toString()
    at += 30 + nameLength + extraLength
    const { buffer: bytes, engine } = inflateRawSync(archive.subarray(at), { info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    at += engine.bytesWritten
    const descriptor = [0, 4, 8, 12].map((offset) => archive.readUInt32LE(at + offset))
    expect(descriptor).toEqual([0x0807_4b50, crc32(bytes), engine.bytesWritten, bytes.length])
    at += 16
    found.push({ path, bytes, flags, method })
  }
  expect(archive.readUInt32LE(at)).toBe(0x0201_4b50)
  return found
}

const anyFiles = array(
  record({
    path: string({ minLength: 1, unit: 'grapheme' }).map((name) => `a/${name.replaceAll(/[/\\\0]/g, '_')}.x`),
    bytes: uint8Array({ maxLength: 4_000, size: 'max' }).map((bytes) => Buffer.from(bytes)),
    isCompressed: boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

describe('a ZIP archive', () => {
  it('is read from its beginning and by its directory, with files of every size and name', async () => {
    await assert(
      asyncProperty(anyFiles, async (files) => {
        const archive = await archiveOf(files)
        const read = streamed(archive)
        expect(read.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
        const zip = await fromBufferPromise(archive, { validateEntrySizes: true, strictFileNames: true })
        const listed = []
        for await (const entry of zip.eachEntry()) {
          expect(await buffer(await zip.openReadStreamPromise(entry))).toEqual(files[listed.length]?.bytes)
          expect(entry.getLastModDate()).toEqual(MTIME)
          listed.push(entry.fileName)
        }
        expect(listed).toEqual(files.map(({ path }) => path))
        for (const [index, { bytes }] of read.entries())
          expect(bytes.equals(files[index]?.bytes ?? Buffer.of(0))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  it('has no stored file whose size follows it, which streaming readers refuse, and UTF-8 names', async () => {
    const files = ['empty.txt', 'photo.jpg', 'Übung/写真 🙂.png'].map((path) => ({
      path,
      bytes: Buffer.from(path.startsWith('empty') ? '' : path),
      isCompressed: !path.endsWith('txt'),
    }))
    for (const { flags, method } of streamed(await archiveOf(files)))
      expect([flags, method]).toEqual([0b1000_0000_1000, 8])
  })

  it('grows compressed files by little, without compressing them again', async () => {
    const bytes = Buffer.alloc(1_000_000)
    const archive = await archiveOf([{ path: 'a.jpg', bytes, isCompressed: true }])
    expect(archive.length - bytes.length).toBeGreaterThan(0)
    expect(archive.length - bytes.length).toBeLessThan(2_000)
  })

  it('fails with the error of a file, and ends it when its reader goes away', async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('the bucket fell silent')
      })(),
    )
    const endless = Readable.from(
      (async function* () {
        for (;;) yield Buffer.alloc(1_000)
      })(),
    )
    const archive = (bytes: Readable) =>
      Readable.from(
        writeZip(
          (async function* () {
            yield { path: 'a', mtime: MTIME, size: 4, bytes, isCompressed: true }
          })(),
        ),
      )
    await expect(buffer(archive(failing))).rejects.toThrow('the bucket fell silent')
    for await (const _ of archive(endless)) break
    await expect.poll(() => endless.destroyed).toBe(true)
  })
})

describe('the records of large archives', () => {
  const GB = 2 ** 30
  const file = (fields: Partial<Written>): Written => ({
    path: 'a',
    mtime: MTIME,
    offset: 0,
    expected: 5,
    size: 5,
    isStored: false,
    compressedSize: 5,
    crc: 7,
    ...fields,
  })
  const large = file({ expected: 5 * GB, size: 5 * GB, compressedSize: 5 * GB + 400_000 })

  it('announce a file of more than 4 GB, whose sizes then have 64 bits', () => {
    const header = localHeader(large)
    expect(header.readUInt16LE(4)).toBe(45)
    expect([18, 22].map((at) => header.readUInt32LE(at))).toEqual([0xffff_ffff, 0xffff_ffff])
    expect([31, 33].map((at) => header.readUInt16LE(at))).toEqual([1, 16])
    expect(dataDescriptor(large)).toHaveLength(24)
    expect(dataDescriptor(large).readBigUInt64LE(16)).toBe(BigInt(5 * GB))
  })

  it('keep 32 bits for a small file behind 4 GB, except for its place', () => {
    const behind = file({ offset: 6 * GB })
    expect(localHeader(behind).readUInt16LE(4)).toBe(20)
    expect(dataDescriptor(behind)).toHaveLength(16)
    const central = centralRecord(behind)
    expect(central.readUInt32LE(42)).toBe(0xffff_ffff)
    expect(central.readUInt32LE(24)).toBe(5)
    expect([47, 49].map((at) => central.readUInt16LE(at))).toEqual([1, 8])
    expect(central.readBigUInt64LE(51)).toBe(BigInt(6 * GB))
  })

  it.each([
    [{ count: 5, start: 10, size: 5 }, 22],
    [{ count: 65_535, start: 10, size: 5 }, 98],
    [{ count: 5, start: 4 * GB, size: 5 }, 98],
  ])('end an archive of %o with %i bytes', (directory, length) => {
    expect(endRecords(directory)).toHaveLength(length)
  })
})
