import { firstCharacters } from '#contract/parts/characters.ts'
import { type ArchiveItem, readText } from '#server/import/archive.ts'
import { dateOf } from '#server/import/converting/dates.ts'
import type { Converting } from '#server/import/converting/documents.ts'
import { readJson, readJsonRecord } from '#server/import/converting/json.ts'
import { decoded } from '#server/import/converting/links.ts'
import { convertJournals, type Post, titleOfText } from '#server/import/converting/posts.ts'
import {
  isRecord,
  namesIn,
  recordsIn,
  textIn,
  type UnknownRecord,
} from '#server/import/converting/records.ts'
import { type Item, Refused } from '#server/import/items.ts'

const CONTENT_MAX = 5_000_000

type Memo = UnknownRecord & { uid: string; content: string }

/** Turns an archive of Memos, or the responses of its API in a file, into a project. */
export async function* convertMemos(converting: Converting): AsyncGenerator<Item> {
  const [found] = converting.files
  if (!found) throw new Refused('The archive has no memo.')
  const isArchive = /(?:^|\/)manifest\.json$/.test(found.path)
  const { memos, read } = isArchive ? await memosOfArchive(converting, found) : await memosOfApi(converting)
  const files = filesOf(memos)
  const posts = memos.flatMap((memo) => postOf(memo, converting))
  yield* convertJournals(
    { ...converting, files: [...converting.files, ...read] },
    [{ key: 'memos', title: 'Memos', posts }],
    {
      fileOf: (address) => {
        const [, uid = address] =
          /(?:^|\/)(?:attachments|resources|o\/r)\/([\w-]+)/.exec(decoded(address)) ?? []
        return files.get(uid)
      },
    },
  )
}

/** Reads the records beside the manifest, each with the file of its content. */
async function memosOfArchive({ archive, problems }: Converting, manifest: ArchiveItem) {
  const { formatVersion } = await readJsonRecord(manifest)
  if (typeof formatVersion === 'string' && !/^[01]\./.test(formatVersion))
    throw new Refused('The archive was made by a newer version of Memos than Milepost knows.')
  const base = manifest.path.slice(0, -'manifest.json'.length)
  const byPath = new Map(archive.items.map((item) => [item.path, item]))
  const memos: Memo[] = []
  const read: ArchiveItem[] = []
  for (const item of archive.items) {
    if (!item.path.startsWith(`${base}memos/`) || !item.path.endsWith('.json')) continue
    read.push(item)
    const record = await readJsonRecord(item)
    const uid = textIn(record, 'uid')
    const content = byPath.get(`${base}${textIn(record, 'contentPath') ?? ''}`)
    if (uid === undefined || !content) {
      problems.add('the archive does not have its text', item.path)
      continue
    }
    read.push(content)
    memos.push({ ...record, uid, content: await readText(content, CONTENT_MAX) })
  }
  return { memos, read }
}

/** Reads what `GET /api/v1/memos` returns, one page or several. */
async function memosOfApi({ files }: Converting) {
  const memos: Memo[] = []
  for (const file of files) {
    const whole = await readJson(file)
    const pages = Array.isArray(whole) ? whole.filter(isRecord) : isRecord(whole) ? [whole] : []
    const listIn = (page: UnknownRecord) => ['memos', 'data'].find((name) => Array.isArray(page[name]))
    for (const record of pages.flatMap((page) => {
      const list = listIn(page)
      return list === undefined ? [page] : recordsIn(page, list)
    })) {
      const id = typeof record.id === 'number' ? String(record.id) : undefined
      const uid = textIn(record, 'name', 'uid', 'id')?.replace(/^memos\//, '') ?? id
      if (uid !== undefined) memos.push({ ...record, uid, content: textIn(record, 'content') ?? '' })
    }
  }
  return { memos, read: [] as ArchiveItem[] }
}

const attachmentsOf = (memo: Memo) =>
  ['attachments', 'resources', 'resourceList'].flatMap((name) => recordsIn(memo, name))

const uidOf = (attachment: UnknownRecord) =>
  (textIn(attachment, 'uid', 'name') ?? '').replace(/^(?:attachments|resources)\//, '')

/** The path of each attachment in the archive. */
function filesOf(memos: Memo[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const attachment of memos.flatMap(attachmentsOf)) {
    const uid = uidOf(attachment)
    found.set(uid, textIn(attachment, 'path') ?? `attachments/${uid}/${textIn(attachment, 'filename') ?? ''}`)
  }
  return found
}

function postOf(memo: Memo, { problems, zone }: Converting): Post[] {
  const { uid } = memo
  const happened = dateOf(memo.displayTime ?? memo.createTime ?? memo.createdTs, zone)
  if (!happened) {
    problems.add('it has no date', uid)
    return []
  }
  const { title, text } = titleOfText(memo.content)
  const path = title === '' ? uid : firstCharacters(title, 80)
  if (memo.state === 'ARCHIVED' || memo.rowStatus === 'ARCHIVED')
    problems.add('it was archived there, and comes like the others', path)
  if (isRecord(memo.location)) problems.add('its place does not come', path)
  const parent = textIn(memo, 'parent')?.replace(/^memos\//, '')
  const attachments = attachmentsOf(memo)
  const linked = attachments
    .map((attachment) => textIn(attachment, 'externalLink'))
    .filter((link) => link !== undefined && /^https?:\/\/[^\s<>]+$/.test(link))
    .map((link) => `\n\n<${link}>`)
  return [
    {
      key: uid,
      path,
      title: title === '' ? happened.on : title,
      text: () =>
        `${parent === undefined ? '' : `[A comment](memos/${parent}) on another memo:\n\n`}${text}${linked.join('')}`,
      happened,
      tags: namesIn(memo, 'tags'),
      createdAt: dateOf(memo.createTime ?? memo.createdTs, zone)?.at,
      updatedAt: dateOf(memo.updateTime ?? memo.updatedTs, zone)?.at,
      addresses: [`memos/${uid}`, `/memos/${uid}`, `/m/${uid}`],
      attached: attachments
        .filter((attachment) => textIn(attachment, 'externalLink') === undefined)
        .map((attachment) => `attachments/${uidOf(attachment)}`),
    },
  ]
}
