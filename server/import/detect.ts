import { type Archive, type ArchiveItem, readHead } from './archive.ts'
import { refuseForeignExport } from './foreign.ts'
import type { Source } from './items.ts'

type Shape = {
  source: Source
  /** The paths of its files. */
  path: RegExp
  /** How such a file begins. */
  head: RegExp
}

const JSON_FILE = /^(?:[^/]+\/)?[^/]+\.json$/i
const XML_FILE = /^(?:[^/]+\/)?[^/]+\.(?:xml|rss|atom|wxr)$/i

/** The files of programs, by what they begin with. The order of the fields is that in which their programs write them. */
const SHAPES: Shape[] = [
  { source: 'milepost', path: /^(?:[^/]+\/)?milepost\.json$/, head: /^/ },
  { source: 'memos', path: /^(?:[^/]+\/)?manifest\.json$/, head: /"format"\s*:\s*"memos-archive"/ },
  {
    source: 'memos',
    path: JSON_FILE,
    head: /^\s*(?:\[\s*)?\{\s*(?:"memos"\s*:\s*\[\s*\{\s*)?"name"\s*:\s*"memos\//,
  },
  {
    source: 'memos',
    path: JSON_FILE,
    // As version 0.21 and earlier list them.
    head: /^\s*(?:\{\s*"data"\s*:\s*)?\[\s*\{\s*"id"\s*:[^{}]{0,500}"rowStatus"\s*:/,
  },
  {
    source: 'journiv',
    path: JSON_FILE,
    head: /^\s*\{\s*"export_version"\s*:[\s\S]*"(?:user_email|journals)"\s*:/,
  },
  {
    source: 'dayone',
    path: JSON_FILE,
    head: /^\s*\{\s*"(?:metadata"\s*:\s*\{[^{}]*\}\s*,\s*"entries|entries)"\s*:\s*\[[\s\S]*"(?:uuid|creationDate)"\s*:/,
  },
  {
    source: 'dayone',
    path: JSON_FILE,
    head: /^\s*\{\s*"metadata"\s*:\s*\{\s*"version"\s*:\s*"[\d.]+"\s*\}\s*,\s*"entries"\s*:/,
  },
  {
    source: 'ghost',
    path: JSON_FILE,
    head: /^\s*\{\s*(?:"db"\s*:\s*\[\s*\{\s*)?"(?:meta"\s*:\s*\{[^{}]*(?:"exported_on"|\}\s*,\s*"data"\s*:\s*\{)|data"\s*:\s*\{\s*"posts")/,
  },
  {
    source: 'feed',
    path: JSON_FILE,
    head: /^\s*\{[\s\S]*"version"\s*:\s*"https?:(?:\\?\/){2}(?:www\.)?jsonfeed\.org\\?\//,
  },
  {
    source: 'github',
    path: JSON_FILE,
    head: /^\s*(?:\[\s*)?\[?\s*\{[\s\S]*"(?:url|html_url)"\s*:\s*"https?:\/\/[^"\s]+\/releases\//,
  },
  {
    source: 'wordpress',
    path: XML_FILE,
    head: /<wp:wxr_version>|xmlns:wp="http:\/\/wordpress\.org\/export\//,
  },
]

const FEED = { source: 'feed', path: XML_FILE, head: /<(?:rss|feed|rdf:RDF)[\s>]/ } as const
const TEXT = /\.(?:md|markdown|html?)$/i
/** Notion ends the names of its files with their id. */
const NOTION = /[ -][\da-f]{32}\.(?:md|html|csv)$/

/** How much of a file is looked at, and of how many. */
const HEAD_BYTES = 65_536
const LOOKED_AT_MAX = 50

export type Recognized = {
  source: Source
  /** The files by which it was recognized. */
  files: ArchiveItem[]
}

/** Recognizes where an archive comes from: by the files at its top, and how they begin. */
export async function recognize(archive: Archive): Promise<Recognized> {
  const { items } = archive
  const heads = new Map<ArchiveItem, string>()
  const candidates = items
    .filter(({ path }) => JSON_FILE.test(path) || XML_FILE.test(path))
    .slice(0, LOOKED_AT_MAX)
  for (const item of candidates) heads.set(item, await readHead(item, HEAD_BYTES))
  const matching = ({ path, head }: Pick<Shape, 'path' | 'head'>) =>
    candidates.filter((item) => path.test(item.path) && head.test(heads.get(item) ?? ''))
  for (const shape of SHAPES) {
    const files = matching(shape)
    if (files.length > 0) return { source: shape.source, files }
  }
  const notes = await notesOfKeep(items)
  if (notes.length > 0) return { source: 'keep', files: notes }
  await refuseForeignExport(archive)
  const texts = items.filter(({ path }) => TEXT.test(path))
  const notion = items.filter(({ path }) => NOTION.test(path))
  if (notion.length > 0 && notion.length * 2 >= texts.length) return { source: 'notion', files: [] }
  const feeds = texts.length === 0 ? matching(FEED) : []
  return feeds.length > 0 ? { source: 'feed', files: feeds } : { source: 'markdown', files: [] }
}

/** A folder of notes in an archive of Google, which is called in the language of its person. */
const IN_TAKEOUT = /^((?:[^/]+\/){0,3})[^/]+\.json$/i
const TRIED_MAX = 5

/** Returns the files of the folder in which Google Keep has its notes; none if there is no such folder. */
async function notesOfKeep(items: ArchiveItem[]): Promise<ArchiveItem[]> {
  const inFolders = Map.groupBy(items, ({ path }) => IN_TAKEOUT.exec(path)?.[1])
  inFolders.delete(undefined)
  // Albums of Google Photos, of which there may be hundreds, are further down.
  const depthOf = ([folder = '']: [string | undefined, ArchiveItem[]]) => folder.split('/').length
  const folders = [...inFolders].sort((one, other) => depthOf(one) - depthOf(other))
  for (const [, files] of folders.slice(0, LOOKED_AT_MAX)) {
    for (const file of files.slice(0, TRIED_MAX)) {
      const head = await readHead(file, HEAD_BYTES)
      if (/"isTrashed"\s*:/.test(head) && /"(?:created|userEdited)TimestampUsec"\s*:/.test(head)) return files
    }
  }
  return []
}
