import { firstCharacters } from '#contract/parts/characters.ts'
import { usableZone } from '#contract/parts/date-formats.ts'
import { dateOf } from '#server/import/converting/dates.ts'
import { type Converting, nameOf } from '#server/import/converting/documents.ts'
import { readJsonRecord } from '#server/import/converting/json.ts'
import { convertJournals, type Journal, type Post, titleOfText } from '#server/import/converting/posts.ts'
import {
  isRecord,
  namesIn,
  recordsIn,
  textIn,
  type UnknownRecord,
} from '#server/import/converting/records.ts'
import type { Item } from '#server/import/items.ts'
import { textOfRich } from './rich.ts'

/** The lists of files that an entry has, and the folders with them. */
const MEDIA = { photos: 'photos', videos: 'videos', audios: 'audios', pdfAttachments: 'pdfs' } as const
const ENDINGS: { [list: string]: string } = { audios: 'm4a', pdfAttachments: 'pdf', videos: 'mov' }

/** Turns the JSON of Day One, a file for each journal, and the folders beside them into a project for each journal. */
export async function* convertDayOne(converting: Converting): AsyncGenerator<Item> {
  const moments: Moments = {
    stored: new Map(converting.archive.items.map(({ path }) => [stemOf(path), path])),
    paths: new Map(),
  }
  const journals: Journal[] = []
  for (const file of converting.files) {
    const read = await readJsonRecord(file)
    const title = nameOf(file.path).replace(/\.json$/i, '')
    const posts = recordsIn(read, 'entries').flatMap((entry) => postOf(entry, title, moments, converting))
    journals.push({ key: `dayone:${title}`, title, posts })
  }
  yield* convertJournals(converting, journals, {
    fileOf: (address) => moments.paths.get(address.replace(/^dayone-moment:\/+(?:\w+\/)?/, '').toUpperCase()),
  })
}

/** The paths of all files by their names without ending, and those of the files of entries by their identifiers. */
type Moments = { stored: ReadonlyMap<string, string>; paths: Map<string, string> }

const stemOf = (path: string) =>
  nameOf(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()

function postOf(
  entry: UnknownRecord,
  journal: string,
  moments: Moments,
  { problems, zone }: Converting,
): Post[] {
  const uuid = textIn(entry, 'uuid')
  const happened = dateOf(entry.creationDate, usableZone(textIn(entry, 'timeZone'), zone))
  if (uuid === undefined || !happened) {
    problems.add('it has no id or no date', journal)
    return []
  }
  const attached = attachedTo(entry, moments)
  const written = textIn(entry, 'text') ?? textOfRich(textIn(entry, 'richText'))
  const { title, text } = titleOfText(written.replaceAll('\u200b', ''))
  const path = `${journal}, ${happened.on}${title === '' ? '' : `, ${firstCharacters(title, 80)}`}`
  if (isRecord(entry.location)) problems.add('its place does not come', path)
  if (isRecord(entry.weather)) problems.add('its weather does not come', path)
  return [
    {
      key: uuid,
      path,
      title: title === '' ? happened.on : title,
      text: () => text,
      happened,
      tags: namesIn(entry, 'tags'),
      createdAt: happened.at,
      updatedAt: dateOf(entry.modifiedDate, zone)?.at,
      addresses: [`dayone2://view?entryId=${uuid}`, `dayone://view?entryId=${uuid}`],
      attached,
    },
  ]
}

/**
 * Notes the files of an entry by their identifiers, and returns the addresses by which a text shows them. A file is named by its checksum,
 * or by its identifier in older archives; its type is not always told, nor right.
 */
function attachedTo(entry: UnknownRecord, { stored, paths }: Moments): string[] {
  return Object.entries(MEDIA).flatMap(([list, folder]) =>
    recordsIn(entry, list)
      .toSorted((a, b) => Number(a.orderInEntry ?? 0) - Number(b.orderInEntry ?? 0))
      .flatMap((file) => {
        const md5 = textIn(file, 'md5')
        const identifier = textIn(file, 'identifier') ?? md5
        if (identifier === undefined) return []
        const names = [md5, identifier].flatMap((name) => name?.toLowerCase() ?? [])
        const ending = textIn(file, 'type', 'format') ?? ENDINGS[list] ?? 'jpeg'
        const path = names.map((name) => stored.get(name)).find((found) => found !== undefined)
        paths.set(identifier.toUpperCase(), path ?? `${folder}/${md5 ?? identifier}.${ending}`)
        return [`dayone-moment://${identifier}`]
      }),
  )
}
