import type { ArchiveItem } from '#server/import/archive.ts'
import { dateOf } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
import { readJsonRecord } from '#server/import/converting/json.ts'
import { convertJournals, type Post } from '#server/import/converting/posts.ts'
import { recordsIn, textIn, textsOf, type UnknownRecord } from '#server/import/converting/records.ts'
import type { Item } from '#server/import/items.ts'

/** Turns the notes of Google Keep, as Google Takeout writes them, into a project. */
export async function* convertKeep(converting: Converting): AsyncGenerator<Item> {
  const { archive } = converting
  const notes: Post[] = []
  for (const file of converting.files) notes.push(...postOf(await readJsonRecord(file), file, converting))
  // Each note is there as a page too, and the archive describes itself.
  const copies = new Set(converting.files.map(({ path }) => path.replace(/\.json$/i, '.html')))
  const known = archive.items.filter(
    ({ path }) => copies.has(path) || /(?:^|\/)(?:Labels\.txt|archive_browser\.html)$/.test(path),
  )
  const names = new Map(archive.items.map(({ path }) => [bare(path), path]))
  yield* convertJournals(
    { ...converting, files: [...converting.files, ...known] },
    [{ key: 'keep', title: 'Google Keep', posts: notes }],
    // A note may name a `.jpeg` whose file is a `.jpg`, and Keep knows no others of its name.
    { fileOf: (path) => names.get(bare(path)) ?? path },
  )
}

const bare = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')

/** Microseconds; 0 for a note that was never edited. */
const dateIn = (note: UnknownRecord, name: string, zone: string) =>
  note[name] === 0 || note[name] === '0' ? null : dateOf(note[name], zone)

function postOf(note: UnknownRecord, { path }: ArchiveItem, { problems, zone }: Converting): Post[] {
  const created = dateIn(note, 'createdTimestampUsec', zone)
  const edited = dateIn(note, 'userEditedTimestampUsec', zone)
  const happened = created ?? edited
  const title = textIn(note, 'title') ?? ''
  const name = title === '' ? path : title
  if (note.isTrashed === true || !happened) {
    problems.add(happened ? 'it is in the trash there' : 'it has no date', name)
    return []
  }
  if (note.isArchived === true) problems.add('it was archived there, and comes like the others', name)
  return [
    {
      key: `${happened.at}:${path.slice(path.lastIndexOf('/') + 1)}`,
      path: name,
      title: title === '' ? happened.on : title,
      text: () => textOf(note) || title,
      happened,
      tags: textsOf(note.labels),
      updatedAt: edited?.at,
      attached: recordsIn(note, 'attachments').flatMap((one) => textIn(one, 'filePath') ?? []),
    },
  ]
}

/** The text, the list with its ticks, and the addresses that it names. */
function textOf(note: UnknownRecord): string {
  const tasks = recordsIn(note, 'listContent').map((one) =>
    `- [${one.isChecked === true ? 'x' : ' '}] ${(textIn(one, 'text') ?? '').replaceAll(/\s*\n\s*/g, ' ')}`.trimEnd(),
  )
  const text = textIn(note, 'textContent') ?? ''
  const links = recordsIn(note, 'annotations')
    .flatMap((one) => textIn(one, 'url') ?? [])
    .filter((address) => /^https?:\/\/[^\s<>]+$/.test(address) && !text.includes(address))
    .map((address) => `<${address}>`)
  // A line of a note is a line.
  return [text, tasks.join('\n'), links.join('\n\n')].filter((part) => part.trim() !== '').join('\n\n')
}
