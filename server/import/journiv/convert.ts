import { createHash } from 'node:crypto'
import { firstCharacters } from '#contract/parts/characters.ts'
import { usableZone } from '#contract/parts/date-formats.ts'
import { dateOf, firstDate, utc } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
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
import { textOfDelta } from './delta.ts'

/** Turns the export of Journiv into a project for each journal. */
export async function* convertJourniv(converting: Converting): AsyncGenerator<Item> {
  const media = new Map<string, string>()
  const journals: Journal[] = []
  for (const file of converting.files)
    for (const journal of recordsIn(await readJsonRecord(file), 'journals')) {
      const title = textIn(journal, 'title') ?? 'Journal'
      const posts = recordsIn(journal, 'entries').flatMap((entry) =>
        postOf(entry, { title, media }, converting),
      )
      journals.push({
        key: `journiv:${title}:${textIn(journal, 'created_at') ?? ''}`,
        title,
        description: textIn(journal, 'description') ?? title,
        posts,
      })
    }
  yield* convertJournals(converting, journals, {
    fileOf: (address) =>
      media.get(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(address)?.[0]?.toLowerCase() ?? address),
  })
}

type Of = { title: string; media: Map<string, string> }

function postOf(entry: UnknownRecord, { title: journal, media }: Of, { problems, zone }: Converting): Post[] {
  const found = dateOf(utc(entry.entry_datetime_utc), usableZone(textIn(entry, 'entry_timezone'), zone))
  const day = textIn(entry, 'entry_date')
  const exact = found ?? firstDate([day], { zone, problems }, journal)
  const happened = found && day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? { ...exact, on: day } : exact
  const attached = recordsIn(entry, 'media').flatMap((file) => {
    const path = textIn(file, 'file_path')
    if (path === undefined) return []
    const id = (textIn(file, 'external_id') ?? path).toLowerCase()
    media.set(id, path)
    return [id]
  })
  const delta = isRecord(entry.content_delta) ? textOfDelta(entry.content_delta) : ''
  const written = delta.trim() === '' ? (textIn(entry, 'content', 'content_plain_text') ?? '') : delta
  const given = textIn(entry, 'title')
  const read = given === undefined ? titleOfText(written) : { title: given, text: written }
  const path = `${journal}, ${happened.on}${read.title === '' ? '' : `, ${firstCharacters(read.title, 80)}`}`
  if (isRecord(entry.mood_log)) problems.add('its mood does not come', path)
  if (isRecord(entry.location_json)) problems.add('its place does not come', path)
  if (isRecord(entry.weather_json)) problems.add('its weather does not come', path)
  return [
    {
      key: createHash('sha256')
        .update([journal, entry.created_at, entry.entry_datetime_utc, given].map(String).join('\0'))
        .digest('hex')
        .slice(0, 40),
      path,
      title: read.title === '' ? happened.on : read.title,
      text: () => read.text,
      happened,
      tags: namesIn(entry, 'tags'),
      isDraft: entry.is_draft === true,
      createdAt: dateOf(utc(entry.created_at), zone)?.at,
      updatedAt: dateOf(utc(entry.updated_at), zone)?.at,
      attached,
    },
  ]
}
