import { listOwnProjects } from '#server/export/access.ts'
import { archiveName, type Exported, type Making, ZIP } from '#server/export/making.ts'
import type { TemporaryFile } from '#server/export/temporary-file.ts'
import { writeZip, type ZipEntry } from '#server/export/zip.ts'
import { fileEntry, textEntry } from '#server/export/zip-entries.ts'
import { createFolder, slugOf } from '#server/files/archive/names.ts'
import { fileKey, widthVariants } from '#server/files/storage-keys.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { type BookFacts, type BookPicture, collectBook, type Line } from './collect.ts'
import {
  type Book,
  type BookPage,
  CONTAINER,
  contentsOf,
  heading,
  type Picture,
  packageOf,
  pageOf,
  paragraphs,
  STYLE,
} from './pages.ts'
import { escaped, toXhtml } from './xhtml.ts'

const EPUB = 'application/epub+zip'
/** The widest picture in a book, in pixels. */
const WIDTH_MAX = 1_600

/** Makes an EPUB 3 of a project, with milestones as parts and entries as chapters, or of an entry. The same content has the same bytes. */
export async function makeBook(
  making: Making,
  scope: { project: string } | { entry: string },
): Promise<Exported> {
  const lines = await making.openFile()
  const facts = await collectBook(making, scope, lines)
  return { name: `${slugOf(facts.title)}.epub`, type: EPUB, entries: filesOf(making, facts, lines) }
}

/** Makes an EPUB for each project of the caller, in one archive. */
export async function makeBooks(making: Making): Promise<Exported> {
  const projects = await listOwnProjects(making.deps.db, making.caller)
  return { name: archiveName('milepost-books', making.madeAt), type: ZIP, entries: booksOf(making, projects) }
}

/** Each book is collected when its turn has come, so that any number of projects takes one file at a time. */
async function* booksOf(making: Making, projects: readonly string[]): AsyncGenerator<ZipEntry> {
  const nameOf = createFolder()
  for (const project of projects) {
    const lines = await making.openFile()
    const facts = await collectUnlessGone(making, project, lines)
    if (facts) {
      const bytes = writeZip(filesOf(making, facts, lines))
      const path = nameOf(`${slugOf(facts.title)}.epub`)
      yield { path, mtime: facts.changedAt, size: 0, bytes, isCompressed: true }
    }
    await lines.close()
  }
}

/** A project may have been deleted, or given away, since the list was read. */
async function collectUnlessGone(making: Making, project: string, lines: TemporaryFile) {
  try {
    return await collectBook(making, { project }, lines)
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null
    throw error
  }
}

async function* filesOf({ deps }: Making, facts: BookFacts, lines: TemporaryFile): AsyncGenerator<ZipEntry> {
  const { chapters, cover, changedAt } = facts
  const book: Book = {
    ...facts,
    language: languageOf(facts.title),
    isRightToLeft: isRightToLeft(facts.title),
  }
  const text = (path: string, content: string) => textEntry(path, content, changedAt)
  const pictures = new Map<string, Picture>()
  const missing = new Set<string>()

  /** Yields a picture once. */
  async function* added(picture: BookPicture): AsyncGenerator<ZipEntry> {
    const { id } = picture
    const variant = widthVariants(picture.widths).findLast(({ width }) => width <= WIDTH_MAX)
    if (pictures.has(id) || missing.has(id) || picture.widths.length === 0) return
    const key = fileKey(picture, variant?.variant ?? '480')
    const entry = await fileEntry(deps, { path: `book/media/${id}.webp`, key, mtime: changedAt })
    if (entry) {
      pictures.set(id, { id, path: `media/${id}.webp`, isCover: id === cover?.id })
      yield entry
    } else missing.add(id)
  }

  yield { ...text('mimetype', EPUB), isStored: true }
  yield text('META-INF/container.xml', CONTAINER)
  yield text('book/style.css', STYLE)
  if (cover) yield* added(cover)
  const shownCover = cover && pictures.get(cover.id)
  yield text('book/title.xhtml', pageOf(book, book.title, titlePage(book, shownCover)))
  const pages: BookPage[] = [{ path: 'title.xhtml', title: book.title }]
  let part = pages
  let count = 0
  for await (const line of lines.lines()) {
    const read = JSON.parse(line) as Line
    if (read.kind === 'milestone') {
      const page: BookPage = { path: `part-${pages.length}.xhtml`, title: read.title, children: [] }
      pages.push(page)
      part = page.children ?? pages
      yield text(`book/${page.path}`, pageOf(book, read.title, partPage(read)))
      continue
    }
    for (const picture of read.pictures) yield* added(picture)
    const { xhtml, hasMath } = await toXhtml(read.html, {
      picture: (src) => pictures.get(src.replace('file:', ''))?.path,
      link: (href) => linkIn(chapters, href),
    })
    count += 1
    const path = `entry-${count}.xhtml`
    part.push({ path, title: read.title, hasMath })
    const facts = [read.on, read.author]
      .filter((fact) => fact !== null)
      .map(escaped)
      .join(' · ')
    const head = `${heading(read.title)}\n<p class="facts">${facts}</p>`
    yield text(`book/${path}`, pageOf(book, read.title, `${head}\n<div>${xhtml}</div>`))
  }
  yield text('book/nav.xhtml', contentsOf(book, pages))
  yield text('book/content.opf', packageOf(book, pages, [...pictures.values()]))
}

const titlePage = ({ title, description, author }: Book, cover: Picture | null | undefined) =>
  [
    ...(cover ? [`<p class="cover"><img src="${cover.path}" alt=""/></p>`] : []),
    heading(title),
    ...(author === null ? [] : [`<p class="facts" dir="auto">${escaped(author)}</p>`]),
    paragraphs(description),
  ].join('\n')

const partPage = ({ title, description, from, until }: Extract<Line, { kind: 'milestone' }>) =>
  `<div class="part">${heading(title)}\n${from || until ? `<p class="facts">${[from, until].filter(Boolean).join(' – ')}</p>\n` : ''}</div>\n${paragraphs(description)}`

const ENTRY =
  /^(?:\/projects\/[\da-f-]+\/milestones\/[\da-f-]+|\/world\/[\da-f-]+)\/entries\/([\da-f-]{36})(?:#.*)?$/i

/** Returns where a link of a text leads in the book, or on the web. */
function linkIn(chapters: ReadonlyMap<string, string>, href: string): string | undefined {
  const entryId = ENTRY.exec(href)?.[1]?.toLowerCase()
  if (entryId !== undefined) return chapters.get(entryId)
  if (!/^(?:https?|mailto):/i.test(href)) return undefined
  try {
    return new URL(href).href
  } catch {
    return undefined
  }
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const STRONG = /\p{L}/u

/** Whether the first letter of a text belongs to a script that is written from right to left. */
const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(STRONG.exec(text)?.[0] ?? '')

const SCRIPTS: [RegExp, string][] = [
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'und-Arab'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Cyrillic}/u, 'und-Cyrl'],
]

/** The language of a title, as far as its script tells; that of the interface otherwise, as public pages say. */
const languageOf = (title: string): string => SCRIPTS.find(([script]) => script.test(title))?.[1] ?? 'en'
