import { dateOf, firstDate, utc } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
import { createHtmlReader } from '#server/import/converting/html.ts'
import { readJsonRecord } from '#server/import/converting/json.ts'
import { decoded } from '#server/import/converting/links.ts'
import { convertJournals, type Journal, type Post } from '#server/import/converting/posts.ts'
import { isRecord, recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'
import type { Item } from '#server/import/items.ts'
import { textOfLexical } from './lexical.ts'
import { textOfMobiledoc } from './mobiledoc.ts'

const ROOT = '__GHOST_URL__'

/** Turns the export of a Ghost blog, with the pictures of its content folder if they are in the same archive, into a project. */
export async function* convertGhost(converting: Converting): AsyncGenerator<Item> {
  const journals: Journal[] = []
  const readHtml = createHtmlReader()
  for (const file of converting.files) {
    const whole = await readJsonRecord(file)
    const [inner = whole] = recordsIn(whole, 'db')
    const data = isRecord(inner.data) ? inner.data : {}
    journals.push(journalOf(data, converting, readHtml))
  }
  yield* convertJournals(converting, journals, { fileOf })
}

/** The address of a file of the blog, of whatever size. */
function fileOf(address: string): string | undefined {
  const [, path] = /\/content\/((?:images|media|files)\/.+)$/.exec(decoded(address)) ?? []
  return path === undefined
    ? undefined
    : `content/${path.replace(/^images\/size\/w\d+(?:h\d+)?\//, 'images/')}`
}

function journalOf(data: UnknownRecord, converting: Converting, readHtml: (html: string) => string): Journal {
  const settings = new Map(
    recordsIn(data, 'settings').map((one) => [textIn(one, 'key'), textIn(one, 'value')]),
  )
  const title = settings.get('title') ?? 'Ghost'
  const key = `ghost:${title}`
  const tags = relationOf(data, { list: 'posts_tags', to: 'tags', by: 'tag_id' })
  const authors = relationOf(data, { list: 'posts_authors', to: 'users', by: 'author_id' })
  const metas = new Map(recordsIn(data, 'posts_meta').map((meta) => [textIn(meta, 'post_id'), meta]))
  const users = new Map(recordsIn(data, 'users').map((user) => [textIn(user, 'id'), textIn(user, 'name')]))
  const posts = recordsIn(data, 'posts').flatMap((post): Post[] => {
    const id = textIn(post, 'id') ?? ''
    const name = textIn(post, 'title') ?? 'Untitled'
    const { zone, problems } = converting
    const dates = [post.published_at, post.created_at, post.updated_at].map(utc)
    const happened = firstDate(dates, converting, name)
    const status = textIn(post, 'status')
    const isHidden = status === 'sent' || (post.visibility ?? 'public') !== 'public'
    if (isHidden) problems.add('not everybody could read it there, and it comes as a draft', name)
    if (status === 'scheduled') problems.add('it was scheduled there, and comes as a draft', name)
    const isPage = post.type === 'page' || post.page === 1 || post.page === true
    const [author] = authors.get(id) ?? [users.get(textIn(post, 'author_id'))]
    const slug = textIn(post, 'slug')
    return [
      {
        key: textIn(post, 'uuid') ?? `${key}:${id}:${slug ?? name}`,
        path: name,
        title: name,
        text: () =>
          [readHtml(headOf(post, metas.get(id))), textOf(post, readHtml)].filter(Boolean).join('\n\n'),
        ...(isPage && { milestone: 'Pages' }),
        happened,
        // Tags that begin with # are for the blog's templates.
        tags: (tags.get(id) ?? []).filter((tag) => !tag.startsWith('#')),
        isDraft: isHidden || status === 'draft' || status === 'scheduled',
        ...(author !== undefined && { author }),
        createdAt: dateOf(utc(post.created_at), zone)?.at,
        updatedAt: dateOf(utc(post.updated_at), zone)?.at,
        cover: textIn(post, 'feature_image', 'image'),
        addresses: slug === undefined ? [] : [`${ROOT}/${slug}/`, `/${slug}/`],
      },
    ]
  })
  return { key, title, description: settings.get('description') ?? title, posts }
}

type Relation = { list: string; to: string; by: string }

/** Returns the names that each post has in another table, in their order. */
function relationOf(data: UnknownRecord, { list, to, by }: Relation): Map<string, string[]> {
  const names = new Map(recordsIn(data, to).map((one) => [textIn(one, 'id'), textIn(one, 'name')]))
  const found = new Map<string, string[]>()
  const rows = recordsIn(data, list).toSorted((a, b) => Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0))
  for (const row of rows) {
    const name = names.get(textIn(row, by))
    const post = textIn(row, 'post_id')
    if (name !== undefined && post !== undefined) found.set(post, [...(found.get(post) ?? []), name])
  }
  return found
}

/** Returns as HTML what Ghost shows above the text of a post: the summary that somebody wrote, and the cover if it has a caption. */
function headOf(post: UnknownRecord, meta: UnknownRecord = {}): string {
  const summary = textIn(post, 'custom_excerpt')
  const caption = textIn(meta, 'feature_image_caption')
  const cover = textIn(post, 'feature_image', 'image')
  const alt = textIn(meta, 'feature_image_alt') ?? ''
  return [
    summary === undefined ? '' : `<p><em>${escaped(summary.trim())}</em></p>`,
    cover === undefined || caption === undefined
      ? ''
      : `<figure><img src="${escaped(cover)}" alt="${escaped(alt)}"><figcaption>${caption}</figcaption></figure>`,
  ].join('')
}

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)

/** Returns the text of a post: as it was written if that was Markdown alone, else from its HTML. */
function textOf(post: UnknownRecord, readHtml: (html: string) => string): string {
  const markdown = textIn(post, 'markdown') ?? markdownCard(textIn(post, 'mobiledoc'))
  if (markdown !== undefined) return markdown
  const html = textIn(post, 'html')
  if (html !== undefined) return readHtml(html)
  const lexical = textIn(post, 'lexical')
  const mobiledoc = recordOf(textIn(post, 'mobiledoc'))
  const written =
    lexical === undefined
      ? mobiledoc && textOfMobiledoc(mobiledoc, readHtml)
      : textOfLexical(lexical, readHtml)
  return written || (textIn(post, 'plaintext') ?? '')
}

/** The Markdown of a post that is one card of it, as the editor of Ghost 1 made them. */
function markdownCard(mobiledoc: string | undefined): string | undefined {
  const { cards, sections } = recordOf(mobiledoc) ?? {}
  if (!Array.isArray(cards) || !Array.isArray(sections) || cards.length !== 1) return undefined
  const isAlone = sections.every((section) => Array.isArray(section) && section[0] === 10)
  const [name, card] = Array.isArray(cards[0]) ? (cards[0] as unknown[]) : []
  const isMarkdown = isAlone && (name === 'markdown' || name === 'card-markdown') && isRecord(card)
  return isMarkdown ? textIn(card, 'markdown') : undefined
}

/** Reads a record that is written as text; undefined if it cannot be read. */
function recordOf(json: string | undefined): UnknownRecord | undefined {
  if (json === undefined) return undefined
  try {
    const read: unknown = JSON.parse(json)
    return isRecord(read) ? read : undefined
  } catch {
    return undefined // The post is read from its other formats.
  }
}
