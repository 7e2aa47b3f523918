import { createHash } from 'node:crypto'
import { usableZone } from '#contract/parts/date-formats.ts'
import { limitText } from '#contract/parts/sizes.ts'
import { type ArchiveItem, readText } from '#server/import/archive.ts'
import { createAttachments, folded, resolved } from '#server/import/converting/attachments.ts'
import { dateOf } from '#server/import/converting/dates.ts'
import {
  type Converting,
  entriesOf,
  nameOf,
  refOf,
  titleOfArchive,
} from '#server/import/converting/documents.ts'
import { takeEmbedded, WITH_PICTURES_MAX } from '#server/import/converting/embedded.ts'
import { createHtmlReader } from '#server/import/converting/html.ts'
import { relink } from '#server/import/converting/links.ts'
import { isRecord, textIn, textsOf } from '#server/import/converting/records.ts'
import { storedTags, storedTitle, titleOf } from '#server/import/converting/texts.ts'
import { BACKUP_OF_STANDARD_NOTES } from '#server/import/foreign.ts'
import { type Item, type ProblemList, Refused } from '#server/import/items.ts'
import { INFO_OF_BUNDLE, splitBear } from './bear.ts'
import { createDating, datedName } from './dated.ts'
import { type FrontMatter, splitFrontMatter } from './front-matter.ts'
import { tagsInText } from './inline-tags.ts'
import { isOfLogseq, LOGSEQ_SETTINGS, splitLogseq, tidyLogseq } from './logseq.ts'
import { isOfMedium, splitMedium } from './medium.ts'
import { fromObsidian } from './obsidian.ts'
import { isOfSubstack, LIST_OF_SUBSTACK, splitSubstack } from './substack.ts'
import { fromTemplates } from './templates.ts'

const DOCUMENT = /\.(?:md|markdown|mdown|mkd|mdx|txt|html?)$/i
/** The length of a text without the pictures in it. */
const DOCUMENT_MAX = 5_000_000
const TOO_LONG = `it is longer than ${limitText(DOCUMENT_MAX)}, which is more than a text may have`
/** What Hugo says of a folder. */
const SECTION = /(?:^|\/)_index\.[a-z]+$/i
/** The folder in which a site of Hugo has its texts, in its own. */
const OF_HUGO = /(?<=\/)content\/$/
/** Names of files whose folder names the text. */
const INDEX = /^(?:_?index|text|readme)$/i
const BUNDLE = /\.(?:textbundle|note)$/i

type Document = {
  item: ArchiveItem
  key: string | undefined
  ref: string
  folder: string
  title: string
  dated: string | undefined
}

/** What is special about the files of a program. */
export type Dialect = {
  /** The title of the project, where all archives have the same folders. */
  title?: string
  /** Returns the name of a file or a folder as a title. */
  tidy: (name: string) => string
  /** The id of a text, if its name has one. */
  keyOf: (item: ArchiveItem) => string | undefined
  isText: (path: string) => boolean
  split: (whole: string, item: ArchiveItem) => ReturnType<typeof splitFrontMatter>
  /** Returns the tags in a text itself. */
  tagsOf?: (text: string) => string[]
  /** Files that were read and are nobody's content. */
  isRead?: (path: string) => boolean
  /** Returns what the target of a link is looked up by. */
  resolve?: (target: string) => string | undefined
}

const PLAIN: Dialect = {
  tidy: (name) => name,
  keyOf: () => undefined,
  isText: (path) => !isGenerated(path) && !BACKUP_OF_STANDARD_NOTES.test(path),
  split: splitFrontMatter,
}

const LOGSEQ: Dialect = {
  ...PLAIN,
  tidy: tidyLogseq,
  isText: (path) => !isOfLogseq(path),
  split: splitLogseq,
}

/** Recognizes the program that has written the files. */
async function dialectOf({ archive: { items, isVault }, problems }: Converting): Promise<Dialect> {
  if (items.some(({ path }) => LOGSEQ_SETTINGS.test(path))) return LOGSEQ
  if (items.some(({ path }) => isOfMedium(path)))
    return { ...PLAIN, title: 'Medium', isText: isOfMedium, split: splitMedium }
  const list = items.find(({ path }) => LIST_OF_SUBSTACK.test(path))
  if (list && items.some(({ path }) => isOfSubstack(path)))
    return {
      ...PLAIN,
      title: 'Substack',
      isText: isOfSubstack,
      isRead: (path) => path === list.path,
      split: splitSubstack(await readText(list, DOCUMENT_MAX), problems),
    }
  if (isVault) return { ...PLAIN, tagsOf: (text) => tagsInText(text) }
  const infos = items.filter(({ path }) => INFO_OF_BUNDLE.test(path))
  return infos.length > 0 ? await dialectOfBear(items, infos, problems) : PLAIN
}

async function dialectOfBear(
  items: ArchiveItem[],
  infos: ArchiveItem[],
  problems: ProblemList,
): Promise<Dialect> {
  const { split, placeOf } = await splitBear(infos)
  for (const { path } of items.filter(({ path }) => DOCUMENT.test(path))) {
    const place = placeOf(path)
    if (place === 'trash') problems.add('it is in the trash there', path)
    if (place === 'archive') problems.add('it was archived there, and comes like the others', path)
  }
  const isTrashed = (path: string) => placeOf(path) === 'trash'
  return {
    ...PLAIN,
    split,
    tagsOf: (text) => tagsInText(text, { ofWords: true }),
    isText: (path) => PLAIN.isText(path) && !isTrashed(path),
    isRead: (path) => INFO_OF_BUNDLE.test(path) || (DOCUMENT.test(path) && isTrashed(path)),
  }
}

/** Turns a folder of Markdown into a project: a milestone for each folder, an entry for each text. */
export async function* convertMarkdown(converting: Converting, ofProgram?: Dialect): AsyncGenerator<Item> {
  const { archive, name, problems } = converting
  const dialect = ofProgram ?? (await dialectOf(converting))
  const { tidy } = dialect
  const texts = archive.items.filter(({ path }) => DOCUMENT.test(path) && dialect.isText(path))
  if (texts.length === 0) throw new Refused(notUnderstood(name, problems.list()[0]?.reason))
  const root = commonFolder(texts.map(({ path }) => path))
  const project = refOf('project', name, root)
  const projectTitle =
    dialect.title ??
    titleOfArchive(archive.items.length === 1 ? name : (root.replace(OF_HUGO, '').split('/').at(-2) ?? name))
  yield {
    kind: 'project',
    key: `project:${projectTitle}`,
    ref: project,
    title: titleOf(tidy(projectTitle), 'Imported'),
    description: `Imported from ${name}`,
  }

  const documents = texts.map((item) => describe(item, root, dialect)).sort(byFolder)
  const begun = new Set<string>()
  const read = archive.items.filter(({ path }) => dialect.isRead?.(path))
  const attachments = createAttachments(converting, project, [...texts, ...read])
  const addressOf = entryFinder(documents, project)
  const happenedAt = createDating(converting, () => allMatter(documents, dialect))
  const reading = { readHtml: createHtmlReader(), dialect, happenedAt }
  for (const document of documents) {
    const { folder, item } = document
    try {
      const read = await readDocument(document, converting, reading)
      if (!read) continue
      const findFile = attachments.finderFor(item.path)
      const embedded = new Map(
        read.pictures.map((one, index) => [one.name, attachments.embedded(item, index, one)]),
      )
      const find = (path: string) => (embedded.has(path) ? embedded.get(path) : findFile(path))
      const missing = new Set<string>()
      const content = relink(archive.isVault ? fromObsidian(read.content) : fromTemplates(read.content), {
        ...(dialect.resolve && { resolve: dialect.resolve }),
        file: find,
        entry: (path) => addressOf(item.path, path),
        missing: (target) => missing.add(target),
      })
      for (const target of missing)
        if (!/^(?:[a-z][\w+.-]*:|\/\/)/i.test(target))
          problems.add('the archive does not have a file that it shows', `${item.path}: ${target}`)
      const cover = read.cover === undefined ? undefined : find(read.cover)
      const { cover: _chosen, pictures: _taken, stored, ...rest } = read
      const entry = {
        ...rest,
        ref: document.ref,
        content,
        path: item.path,
        milestone: milestoneRef(project, folder),
      }
      const entries = entriesOf({ ...entry, ...(cover?.isPicture && { cover: cover.ref }) }, problems).map(
        (made, _at, all) => (stored && all.length === 1 ? { ...made, ...stored } : made),
      )
      if (entries.length > 0 && !begun.has(folder)) {
        const ref = milestoneRef(project, folder)
        begun.add(folder)
        const title = titleOf(folder === '' ? 'Notes' : folder.split('/').map(tidy).join(' / '), 'Notes')
        const key = `milestone:${projectTitle}/${folder}`
        yield { kind: 'milestone', key, ref, project, title, description: title }
      }
      yield* attachments.added()
      yield* entries
    } catch (error) {
      if (!(error instanceof Refused || error instanceof RangeError)) throw error
      problems.add(error instanceof Refused ? error.message : 'it is nested too deeply to be read', item.path)
    }
  }
  attachments.reportUnused()
}

const PACKED = /\.(?:7z|rar|tar|gz|tgz|bz2|xz|zst)$/i
const OFFICE = /\.(?:docx?|odt|rtf|pages|pdf)$/i

/** Says what to do with a file that has no text; `reason`: why the first of its files was left out. */
function notUnderstood(name: string, reason: string | undefined): string {
  if (PACKED.test(name)) return `“${name}” cannot be unpacked here: unpack it, and pack it as a ZIP.`
  if (OFFICE.test(name))
    return `“${name}” cannot be read here: save it as Markdown, HTML or plain text in the program it is from, and import that.`
  if (reason !== undefined) return `Nothing in this archive can be read. Of its first file: ${reason}.`
  return 'No text that Milepost understands is in this file: neither Markdown, HTML or plain text nor the export of a program that it knows.'
}

/** Files that programs make beside the texts of people. */
const isGenerated = (path: string) =>
  /(?:^|\/)(?:node_modules|vendor\/bundle|public|_site|themes|archetypes|layouts|_layouts|_includes)\//.test(
    path,
  )

/** Returns the folders that all paths share, with a slash at the end. */
function commonFolder(paths: string[]): string {
  const [first = '', ...others] = paths
  let root = first.slice(0, first.lastIndexOf('/') + 1)
  while (root !== '' && others.some((path) => !path.startsWith(root)))
    root = root.slice(0, root.lastIndexOf('/', root.length - 2) + 1)
  // A single text bundle is no folder of texts.
  return BUNDLE.test(root.slice(0, -1)) ? root.slice(0, root.lastIndexOf('/', root.length - 2) + 1) : root
}

function describe(item: ArchiveItem, root: string, { tidy, keyOf }: Dialect): Document {
  const folders = item.path.slice(root.length).split('/')
  let stem = (folders.pop() ?? '').replace(/\.[^.]+$/, '')
  // The text of a bundle is named by its folder.
  if (INDEX.test(stem) && folders.length > 0) stem = (folders.pop() ?? '').replace(BUNDLE, '')
  const { dated, title } = datedName(stem)
  const shown = folders
    .filter((folder, at) => !(at === 0 && folder === 'content'))
    .map((folder) => folder.replace(/^_(posts|drafts)$/, '$1'))
  return {
    item,
    key: keyOf(item),
    ref: refOf('entry', item.path),
    folder: shown.join('/'),
    title: tidy(title),
    dated,
  }
}

const byFolder = (a: Document, b: Document) =>
  a.folder === b.folder ? compare(a.item.path, b.item.path) : compare(a.folder, b.folder)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Reads the front matter of all texts, without those that cannot be read. */
async function* allMatter(documents: Document[], { split }: Dialect) {
  for (const { dated, item } of documents) {
    const whole = await readText(item, WITH_PICTURES_MAX).catch((error: unknown) => {
      if (error instanceof Refused) return ''
      throw error
    })
    yield { dated, matter: split(whole.slice(0, DOCUMENT_MAX), item).matter }
  }
}

type Reading = {
  readHtml: (html: string) => string
  dialect: Dialect
  happenedAt: ReturnType<typeof createDating>
}

async function readDocument(
  document: Document,
  { problems }: Converting,
  { readHtml, dialect, happenedAt }: Reading,
) {
  const { item } = document
  const original = await readText(item, WITH_PICTURES_MAX)
  const { text: whole, pictures, left } = takeEmbedded(original)
  if (left > 0) problems.add(`${left} of the pictures in its text are too many`, item.path)
  if (whole.length > DOCUMENT_MAX) throw new Refused(TOO_LONG)
  const { matter, text, isBroken } = dialect.split(whole, item)
  if (isBroken) problems.add('its front matter cannot be read and stays in the text', item.path)
  const isHtml = /\.html?$/i.test(item.path)
  const body = isHtml ? readHtml(text) : text
  const heading = /^\s*# +(.+?)[ \t]*#*[ \t]*(?:\n|$)/.exec(body)
  const titled =
    firstText(matter.title) ?? (isHtml ? /<title[^>]*>([^<]{1,500})/i.exec(text)?.[1] : undefined)
  const content =
    titled === undefined ? body.slice(heading?.[0].length ?? 0) : isHtml ? withoutTitle(body, titled) : body
  const happened = ownHappened(matter) ?? (await happenedAt({ ...document, matter }))
  if (!happened) return null
  const author = textsOf(isRecord(matter.author) ? matter.author.name : (matter.author ?? matter.authors))[0]
  const cover = coverOf(matter)
  const id = document.key ?? firstText(matter.id) ?? firstText(matter.uid)
  return {
    // The same text at the same place is the same entry, whatever the archive is called.
    key:
      id ??
      createHash('sha256')
        .update(`${document.folder}/${nameOf(item.path)}\0${original}`)
        .digest('hex')
        .slice(0, 40),
    title: titled ?? heading?.[1] ?? document.title,
    ...(ownHappened(matter) &&
      titled !== undefined && { stored: { title: storedTitle(titled), tags: storedTags(tagsIn(matter)) } }),
    // An entry has a text, and a note may be its title alone.
    content:
      content.trim() === '' && document.title !== '' && !SECTION.test(item.path)
        ? (titled ?? heading?.[1] ?? '')
        : content.replace(/^\s*\n/, ''),
    tags: [
      ...tagsIn(OF_JEKYLL.test(item.path) ? spaced(matter) : matter),
      ...(dialect.tagsOf?.(content) ?? []),
    ],
    isDraft: isDraft(matter) || /(?:^|\/)_?drafts\//i.test(item.path),
    happened,
    pictures,
    ...(author !== undefined && author !== '' && { author }),
    ...(cover !== undefined && { cover }),
  }
}

/** Pages repeat the title of their head at the top of their text, behind a date as those of Google Keep or as a heading. */
function withoutTitle(body: string, titled: string): string {
  const lines = body.split('\n')
  const first = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at])).slice(0, 2)
  const at = first.find((one) => lines[one]?.replace(/^#+ /, '').trim() === titled.trim())
  return at === undefined ? body : lines.toSpliced(at, 1).join('\n')
}

/** Returns when a text from Milepost itself happened: the instant, the day and the time zone are in its front matter. */
function ownHappened({ happened, zone, date }: FrontMatter) {
  if (typeof zone !== 'string' || typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return null
  const found = dateOf(happened, usableZone(zone))
  return found && { ...found, at: new Date(String(happened)).toISOString(), on: date }
}

const firstText = (value: unknown): string | undefined =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' ? String(value) : undefined

/** What front matter calls the picture of a text, the best first. */
const COVERS =
  `cover image featured_image featuredimage feature_image coverimage cover_image heroimage hero banner thumbnail header
  og_image`.split(/\s+/)

/** Returns the address of the picture of a text, which may be in a record of its own. */
function coverOf(matter: FrontMatter): string | undefined {
  for (const value of COVERS.map((name) => matter[name])) {
    const found = firstText(value) ?? (isRecord(value) ? textIn(value, ...IN_COVER) : undefined)
    if (found !== undefined) return found
  }
  return undefined
}
const IN_COVER = ['image', 'path', 'src', 'url', 'teaser', 'overlay_image']

const tagsIn = (matter: FrontMatter) => [
  ...textsOf(matter.tags ?? matter.tag ?? matter.keywords),
  ...textsOf(matter.categories ?? matter.category),
]

/** Jekyll divides tags and categories at spaces, unless they are a list. */
const OF_JEKYLL = /(?:^|\/)_(?:posts|drafts)\//
const spaced = (matter: FrontMatter): FrontMatter =>
  Object.fromEntries(
    Object.entries(matter).map(([name, value]) => [
      name,
      /^(?:tags|categories)$/.test(name) && typeof value === 'string' && !value.includes(',')
        ? value.split(/\s+/)
        : value,
    ]),
  )

const isDraft = (matter: FrontMatter) =>
  /^(?:true|yes|y|on|1)$/i.test(String(matter.draft)) ||
  /^(?:false|no|n|off|0)$/i.test(String(matter.published)) ||
  matter.status === 'draft' ||
  matter.state === 'draft'

/** Finds the entry to which a link of another leads: by its path, relative or from the top, or by its name anywhere. */
function entryFinder(documents: Document[], project: string) {
  const byPath = new Map<string, Document>()
  const byName = new Map<string, Document>()
  for (const document of documents) {
    const path = folded(document.item.path.replace(/\.[^./]+$/, ''))
    byPath.set(path, document)
    for (const name of [nameOf(path), folded(document.title), document.key ?? nameOf(path)])
      if (!byName.has(name)) byName.set(name, document)
  }
  return (from: string, target: string): string | undefined => {
    const bare = folded(
      target
        .replace(/^\.?\//, '')
        .replace(/\.(?:md|markdown|html?)$/i, '')
        .replace(/\/$/, ''),
    )
    const folder = folded(from.slice(0, from.lastIndexOf('/') + 1))
    const found = byPath.get(resolved(`${folder}${bare}`)) ?? byPath.get(bare) ?? byName.get(nameOf(bare))
    return (
      found && `/projects/${project}/milestones/${milestoneRef(project, found.folder)}/entries/${found.ref}`
    )
  }
}

const milestoneRef = (project: string, folder: string) => refOf('milestone', project, folder)
