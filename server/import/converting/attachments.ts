import type { ArchiveItem } from '#server/import/archive.ts'
import type { FileItem } from '#server/import/items.ts'
import { type Converting, faultOfFile, isPicture, nameOf, refOf } from './documents.ts'
import type { EmbeddedPicture } from './embedded.ts'

export type FoundFile = { ref: string; name: string; isPicture: boolean }

/** Finds the places in an archive of what is no text: by its path, or by its name anywhere. */
function indexNames(items: readonly ArchiveItem[], texts: ArchiveItem[]) {
  const isText = new Set(texts)
  const byPath = new Map<string, number>()
  const byName = new Map<string, number[]>()
  for (const [at, item] of items.entries()) {
    if (isText.has(item)) continue
    byPath.set(folded(item.path), at)
    const name = folded(nameOf(item.path))
    const named = byName.get(name)
    if (named) named.push(at)
    else byName.set(name, [at])
  }
  return {
    places: () => byPath.values(),
    /** Beside the document, from the top of the archive, or by its name anywhere. */
    near(document: string, target: string): number | undefined {
      const wanted = target.normalize('NFC').replace(/^\.?\//, '')
      if (wanted === '') return undefined
      const folder = document.slice(0, document.lastIndexOf('/') + 1)
      const top = document.slice(0, document.indexOf('/') + 1)
      const tries = [
        resolved(`${folder}${wanted}`),
        wanted,
        `${top}${wanted}`,
        `static/${wanted}`,
        `${top}static/${wanted}`,
      ]
      return (
        tries.map((path) => byPath.get(folded(path))).find((at) => at !== undefined) ??
        byName.get(folded(nameOf(wanted)))?.[0]
      )
    },
    /** The one whose path ends like an address: with most of its folders, or the only one of its name. */
    ending(address: string): number | undefined {
      const wanted = folded(address).split('/').filter(Boolean)
      const named = byName.get(wanted.at(-1) ?? '') ?? []
      const shared = named.map((at) => sharedEnd(folded(items[at]?.path ?? '').split('/'), wanted))
      const most = Math.max(0, ...shared)
      const [at, other] = named.filter((_at, index) => shared[index] === most)
      return other !== undefined && most < 2 ? undefined : at
    },
  }
}

/** Finds the files to which texts refer, and remembers those that are to be created. */
export function createAttachments(
  { archive, limits, problems }: Converting,
  project: string,
  texts: ArchiveItem[],
) {
  const names = indexNames(archive.items, texts)
  const known = new Map<number, FoundFile | undefined>()
  let waiting: FileItem[] = []

  function foundAt(at: number | undefined): FoundFile | undefined {
    if (at === undefined) return undefined
    if (known.has(at)) return known.get(at)
    const item = archive.items[at]
    if (!item) return undefined
    const fault = faultOfFile(item, limits)
    if (fault !== undefined) {
      problems.add(fault, item.path)
      known.set(at, undefined)
      return undefined
    }
    const { path, size } = item
    const ref = refOf('file', project, path)
    waiting.push({ kind: 'file', key: `file:${path}`, ref, project, at, path, name: nameOf(path), size })
    const found = { ref, name: nameOf(path), isPicture: isPicture(path) }
    known.set(at, found)
    return found
  }

  return {
    finderFor:
      (document: string) =>
      (target: string): FoundFile | undefined =>
        foundAt(names.near(document, target)),
    /** Returns the file whose path ends like that of an address. */
    ending: (address: string): FoundFile | undefined => foundAt(names.ending(address)),
    /** Returns a picture that is written into the text of a document. */
    embedded(document: ArchiveItem, index: number, { name, size }: EmbeddedPicture): FoundFile | undefined {
      const path = `${document.path}#${index + 1}`
      const fault = faultOfFile({ path: name, size }, limits)
      if (fault !== undefined) {
        problems.add(fault, path)
        return undefined
      }
      const ref = refOf('file', project, path)
      const at = archive.items.indexOf(document)
      waiting.push({ kind: 'file', key: `file:${path}`, ref, project, at, path, name, size, embedded: index })
      return { ref, name, isPicture: true }
    },
    /** Returns the files that were found since the last call. */
    added(): FileItem[] {
      const added = waiting
      waiting = []
      return added
    },
    isUsed: (at: number) => known.has(at),
    reportUnused() {
      for (const at of names.places())
        if (!known.has(at)) problems.add('no text shows it', archive.items[at]?.path ?? '')
    },
  }
}

/** How many parts two paths share at their end. */
function sharedEnd(path: string[], wanted: string[]): number {
  let shared = 0
  while (shared < wanted.length && path.at(-1 - shared) === wanted.at(-1 - shared)) shared += 1
  return shared
}

/** Names are found like on systems that ignore case. */
export const folded = (path: string) => path.normalize('NFC').toLowerCase()

/** Resolves `.` and `..` within the archive. */
export function resolved(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
