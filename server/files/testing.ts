import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { derive } from '#server/platform/secrets.ts'
import { openFolder } from '#server/platform/storage/folder.ts'
import { createLinks } from './links.ts'

/** A directory for a test's images, and links that it can create and verify. */
export async function testMedia(clock: () => Date) {
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-files-'))
  const secrets = { current: derive('a secret that signs links in the tests'), previous: null }
  return {
    files: await openFolder(folder),
    links: createLinks(secrets, clock),
    /** Returns the names of all stored files. */
    kept: async () => {
      const found = await readdir(folder, { recursive: true, withFileTypes: true })
      return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },
    close: () => rm(folder, { recursive: true }),
  }
}

/** Creates a picture whose left half is red and right half blue. */
export function picture(width: number, height: number) {
  const right = { create: { width: Math.ceil(width / 2), height, channels: 3, background: 'blue' } } as const
  return sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: right, left: Math.floor(width / 2), top: 0 },
  ])
}

/** Creates a gray PNG of any size whose header may be wrong. All black, it compresses a thousandfold. */
export function bomb(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const row = Buffer.alloc(width + 1)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)), { level: 9 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
