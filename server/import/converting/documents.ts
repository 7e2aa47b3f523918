import type { FileKind, FileLimits } from '#contract/files.ts'
import { NAME_MAX } from '#contract/identity.ts'
import { firstCharacters, isBlank } from '#contract/parts/characters.ts'
import { limitOf, limitText } from '#contract/parts/sizes.ts'
import type { Archive, ArchiveItem } from '#server/import/archive.ts'
import type { EntryItem, Happened, Item, ProblemList } from '#server/import/items.ts'
import { derivedId } from '#server/platform/changes/changes.ts'
import { partsOf, storable, tagsOf, titleOf } from './texts.ts'

/** What a converter works with. */
export type Converting = {
  archive: Archive
  /** The files by which the source was recognized. */
  files: ArchiveItem[]
  /** The name of the uploaded file. */
  name: string
  /** The time zone of the person, for dates without one. */
  zone: string
  limits: FileLimits
  problems: ProblemList
}

/** Turns an archive into what is created, in order. */
export type Converter = (converting: Converting) => AsyncIterable<Item>

/** The UUID by which texts refer to something that has another id at its source. */
export const refOf = (...words: string[]): string => derivedId('import', ...words)

/** Returns the name of an uploaded archive without its ending, as a title. */
export const titleOfArchive = (name: string): string =>
  titleOf(
    // A browser numbers a file that it has saved before.
    name.replace(/(?: ?\(\d+\))?\.(?:zip|textpack|textbundle|json|xml|md|markdown|txt|html?|rss|atom)$/i, ''),
    'Imported',
  )

type Document = {
  key: string
  /** Derived from the key, if absent. */
  ref?: string
  path: string
  milestone: string
  title: string
  content: string
  tags?: string[]
  isDraft?: boolean
  happened: Happened
  author?: string | null
  createdAt?: string
  updatedAt?: string
  cover?: string | null
  coverAddress?: string
}

/** Returns a text as an entry of allowed length and tags: as several, if it is longer than an entry may be. */
export function entriesOf(document: Document, problems: ProblemList): EntryItem[] {
  const { path, tags: found = [], isDraft = false } = document
  const content = storable(document.content)
  if (isBlank(content)) {
    problems.add('it has no text', path)
    return []
  }
  const { tags, dropped } = tagsOf(found)
  if (dropped > 0) problems.add('it has more than 50 tags, of which the first 50 come', path)
  const parts = partsOf(content)
  if (parts.length > 1) problems.add('it is longer than an entry may be, and comes as several', path)
  const title = titleOf(document.title, 'Untitled')
  return parts.map((part, index) => {
    const key = index === 0 ? document.key : `${document.key}#${index + 1}`
    const numbered =
      parts.length === 1
        ? title
        : titleOf(`${firstCharacters(title, 180)} (${index + 1} of ${parts.length})`, title)
    return {
      ...document,
      kind: 'entry',
      key,
      ref: index === 0 && document.ref !== undefined ? document.ref : refOf(key),
      title: numbered,
      content: part,
      tags,
      isDraft,
      ...(document.author && { author: firstCharacters(storable(document.author).trim(), NAME_MAX) }),
    }
  })
}

const KINDS: [RegExp, FileKind][] = [
  [/\.(?:jpe?g|png|webp|gif|avif|heic|heif|bmp|tiff?)$/i, 'image'],
  [/\.(?:mp4|m4v|mov|webm|mkv)$/i, 'video'],
  [/\.(?:mp3|m4a|ogg|opus|wav|flac|aac)$/i, 'audio'],
]
/** Returns the kind of a file by its name, until its content is inspected. */
export const kindOfName = (path: string): FileKind =>
  KINDS.find(([ending]) => ending.test(path))?.[1] ?? 'other'
export const isPicture = (path: string): boolean => kindOfName(path) === 'image'

/** Why a file of an archive cannot be stored; undefined if it can. */
export function faultOfFile(
  { path, size }: Pick<ArchiveItem, 'path' | 'size'>,
  limits: FileLimits,
): string | undefined {
  const max = limits[limitOf[kindOfName(path)]]
  if (size === 0) return 'it is empty'
  if (size > max) return `it is larger than the ${limitText(max)} that a file of its kind may have here`
  return undefined
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
