import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { limitText } from '#contract/parts/sizes.ts'
import { cleanPath, decodeName, faultOf, isLitter } from './archive-names.ts'
import { createProblems, type ProblemList, Refused } from './items.ts'
import { createRoom } from './room.ts'

/** A file of an archive, which is read and never unpacked. */
export type ArchiveItem = { path: string; size: number; modifiedAt: Date; open: () => Promise<Readable> }

export type Archive = {
  items: ArchiveItem[]
  problems: ProblemList
  /** Whether it is a vault of Obsidian, by its settings, which are no items. */
  isVault: boolean
  close: () => void
}

const ITEMS_MAX = 200_000
/** How much larger a file may be unpacked, from a size at which it matters. */
const RATIO_MAX = 100
const RATIO_FROM = 1_000_000
/** How many files may lie at the place of another one: folders and empty files do, in odd archives. */
const SHARED_MAX = 1_000
/** A part of an archive that its maker divided, such as `Export-1234-Part-2.zip` of Notion. */
const PART = /(?:^|[-_ ])part-\d+\.zip$/i

/** An uploaded archive on the disk, and how it is called. */
export type Opened = {
  file: string
  name: string
  /** Begins the paths of temporary files for the parts of a divided archive. */
  work: string
  /** How many bytes these may have together. */
  room: number
}

/** Opens an archive, or a single file as an archive of one. Throws Refused. */
export async function openArchive({ file, name, work, room: bytes }: Opened): Promise<Archive> {
  const problems = createProblems()
  const { size, mtime } = await stat(file)
  if (!(await isZip(file))) {
    await refuseForeign(file, name)
    const only = { path: cleanPath(name), size, modifiedAt: mtime, open: async () => createReadStream(file) }
    return { items: [only], problems, isVault: false, close: () => undefined }
  }
  const opened: ZipFile[] = []
  const items: ArchiveItem[] = []
  let isVault = false
  const adding: Adding = {
    items,
    problems,
    opened,
    skip: (path) => {
      isVault ||= /(?:^|\/)\.obsidian\//.test(path)
      if (/(?:^|\/)\.trash\/.*[^/]$/.test(path)) problems.add('it is in the trash there', path)
    },
  }
  await addItems(file, size, adding)
  const parts = items.filter(({ path }) => PART.test(path) && path.split('/').length <= 2)
  const room = createRoom(bytes)
  for (const [index, part] of parts.entries()) {
    room.take(part.size)
    const unpacked = `${work}.${index}`
    // Another process may have unpacked it for this import.
    if ((await sizeOf(unpacked)) !== part.size) await copyItem(part, unpacked, part.size)
    items.splice(items.indexOf(part), 1)
    if (await isZip(unpacked)) await addItems(unpacked, part.size, adding)
    else problems.add('it is a part of the archive that cannot be read', part.path)
  }
  const close = () => opened.forEach((zip) => zip.close())
  return { items: withoutTwins(items, problems), problems, isVault, close }
}

const sizeOf = async (file: string) => (await stat(file).catch(() => undefined))?.size

const isZip = async (file: string): Promise<boolean> => {
  const begin = await beginOf(file)
  return begin.startsWith('PK\u0003\u0004') || begin.startsWith('PK\u0005\u0006')
}

/** How archives begin that are no ZIP, whatever they are called, and where: that of tar is behind its first name. */
const FOREIGN: [kind: string, mark: string, at?: number][] = [
  ['a RAR archive', 'Rar!'],
  ['a 7z archive', '7z\u00bc\u00af'],
  ['an archive of gzip', '\u001f\u008b'],
  ['an archive of bzip2', 'BZh'],
  ['an archive of xz', '\u00fd7zXZ'],
  ['an archive of zstd', '(\u00b5/\u00fd'],
  ['an archive of tar', 'ustar', 257],
]

/** The end of the names that exports of Joplin for itself have. */
const OF_JOPLIN = /\.jex$/i
/** Says how to bring notes of Joplin. */
export const FROM_JOPLIN =
  'This is an export of Joplin for Joplin alone: export it there as “MD - Markdown + Front Matter”, and pack that folder as a ZIP.'

/** Throws Refused for a file that is packed in another way, or that is the page of a website instead of the archive that it offers. */
async function refuseForeign(file: string, name: string): Promise<void> {
  const begin = await beginOf(file)
  if (OF_JOPLIN.test(name)) throw new Refused(FROM_JOPLIN)
  const [kind] = FOREIGN.find(([, mark, at = 0]) => begin.startsWith(mark, at)) ?? []
  if (kind !== undefined)
    throw new Refused(`“${name}” is ${kind}, not a ZIP: unpack it, and pack it as a ZIP.`)
  if (/\.zip$/i.test(name) && /^\s*<(?:!doctype|html)/i.test(begin))
    throw new Refused(
      `“${name}” is the page of a website, not an archive: download it again in a browser that is signed in there.`,
    )
}

const BEGIN = 512

/** Returns the first bytes of a file, each as one character. */
async function beginOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGIN), 0, BEGIN, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

type Adding = {
  items: ArchiveItem[]
  problems: ProblemList
  opened: ZipFile[]
  /** Called with the paths of files that are nobody's content. */
  skip: (path: string) => void
}

async function addItems(
  file: string,
  size: number,
  { items, problems, opened, skip }: Adding,
): Promise<void> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(
    (error: unknown) => {
      throw new Refused(`The archive is damaged or incomplete (${messageOf(error)}). Export it again.`)
    },
  )
  opened.push(zip)
  if (zip.entryCount + items.length > ITEMS_MAX)
    throw new Refused(
      `The archive has more than ${ITEMS_MAX.toLocaleString('en')} files. Import it in parts.`,
    )
  let unpacked = 0
  const places = new Set<number>()
  let names = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const path = cleanPath(decodeName(entry.fileNameRaw))
      unpacked += entry.uncompressedSize
      refuseBomb(entry, unpacked, size)
      places.add(entry.relativeOffsetOfLocalHeader)
      names += 1
      if (names - places.size > SHARED_MAX)
        throw new Refused(
          'The archive has thousands of names for the same file, as no export does, so it is not read.',
        )
      if (path.endsWith('/') || isLitter(path)) {
        skip(path)
        continue
      }
      const fault = faultOf(path) ?? faultOfEntry(entry)
      if (fault !== undefined) problems.add(fault, path.replaceAll('\0', '�'))
      else items.push(itemOf(zip, entry, path))
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(`The archive is damaged or incomplete (${messageOf(error)}). Export it again.`)
  }
}

function refuseBomb(entry: Entry, unpacked: number, size: number): void {
  const isBomb =
    (entry.uncompressedSize > RATIO_FROM && entry.uncompressedSize > RATIO_MAX * entry.compressedSize) ||
    (unpacked > RATIO_FROM && unpacked > RATIO_MAX * size)
  if (isBomb)
    throw new Refused(
      `The archive would grow to more than ${RATIO_MAX} times its size when it is unpacked, as no export does, so it is not read.`,
    )
}

const LINK = 0o120_000
const KIND = 0o170_000

function faultOfEntry(entry: Entry): string | undefined {
  if (((entry.externalFileAttributes >>> 16) & KIND) === LINK) return 'it is a link to another file'
  if (entry.isEncrypted()) return 'it is locked with a password: unlock it, and pack it without one'
  if (!entry.canDecodeFileData())
    return 'it is packed in a way that cannot be read here: pack it as an ordinary ZIP, with the method Deflate'
  return undefined
}

const itemOf = (zip: ZipFile, entry: Entry, path: string): ArchiveItem => ({
  path,
  size: entry.uncompressedSize,
  modifiedAt: entry.getLastModDate(),
  open: () => zip.openReadStreamPromise(entry),
})

/** Returns the items without those that another one follows under the same path, as when an archive is unpacked. */
function withoutTwins(items: readonly ArchiveItem[], problems: ProblemList): ArchiveItem[] {
  const last = new Map(items.map((item) => [item.path, item]))
  const replaced = items.filter((item) => last.get(item.path) !== item)
  for (const { path } of replaced) problems.add('another file of the archive has the same name', path)
  return items.filter((item) => last.get(item.path) === item)
}

/** Reads an item as text; throws Refused if it is larger than announced, damaged, or longer than `max` bytes. */
export async function readText(item: ArchiveItem, max: number): Promise<string> {
  if (item.size > max)
    throw new Refused(`it is longer than ${limitText(max)}, which is more than a text may have`)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of await item.open()) chunks.push(chunk as Buffer)
  } catch (error) {
    throw new Refused(`it is damaged (${messageOf(error)})`)
  }
  return decodeText(Buffer.concat(chunks))
}

/** Reads the beginning of an item as text; what is damaged ends it. */
export async function readHead(item: ArchiveItem, bytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of await item.open()) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length >= bytes) break
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  const head = Buffer.concat(chunks).subarray(0, bytes)
  // The last character may be cut.
  return new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-8').decode(head).replace(/^\uFEFF/, '')
}

/** Old files are in the encoding of Windows, or in UTF-16. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Writes an item to a path that the server has chosen. */
export async function copyItem(item: ArchiveItem, to: string, max: number): Promise<void> {
  let written = 0
  async function* counted(bytes: AsyncIterable<Buffer>) {
    for await (const chunk of bytes) {
      written += chunk.length
      if (written > max) throw new Refused('it is larger than the archive announces')
      yield chunk
    }
  }
  await pipeline(await item.open(), counted, createWriteStream(to, { flags: 'w', mode: 0o600 }))
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
