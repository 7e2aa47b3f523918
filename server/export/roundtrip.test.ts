import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { importer } from '#server/import/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { exported, unzipped } from './testing.ts'

let from: TestApp
let to: TestApp
let imports: ReturnType<typeof importer>
beforeAll(async () => {
  from = await testApp()
  to = await testApp()
  imports = importer(to)
})
afterAll(() => Promise.all([from.close(), to.close()]))

const isLong = process.env.MILEPOST_TESTS === 'all'
const AUTHOR = 'Ada “Countess” Lovelace'
const SCRIPTS = [
  'Lumber & glue',
  'Übung macht den Meister',
  'ÜBUNG MACHT DEN MEISTER',
  'مشروع القارب',
  'עץ ודבק',
  '写真の日記',
  'กขค',
  '👩‍👩‍👧 🛶',
  '../../etc/passwd',
  'CON',
  'a  b\u00a0c',
  '…',
  '"quoted": - [x] #1',
  '\u202eright to left\u202c',
]
const title = fc.oneof(
  fc.constantFrom(...SCRIPTS),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => isTitle(text)),
)
const isTitle = (text: string) =>
  text.trim() !== '' && !/[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(text)
const tag = fc.constantFrom('wood', '#1', 'a: b', '木', 'עץ', 'x  y', '[list]', 'Wood')
const day = fc.constantFrom(
  '1848-03-18',
  '1905-12-31',
  '1969-12-31',
  '2024-02-29',
  '2026-03-29',
  '2199-12-30',
)
const zone = fc.constantFrom('UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'Pacific/Apia', 'America/St_Johns')
const text = fc.constantFrom(
  'They smell of **summer**.\n',
  '   indented\n\ttab\n\n\n# Not the title\n',
  '---\ntitle: not a front matter\n---\n\ntext',
  'كتبت هذا في الليل.\n\n- واحد\n- اثنان',
  '| a | b |\n| - | - |\n| $x^2$ | `c` |\n\nNote[^1]\n\n[^1]: Below',
  'See [it](/projects/none) and <b>no html</b> [[not a link]] ![](missing.png)',
)
const entry = fc.record({
  title,
  text,
  tags: fc.uniqueArray(tag, { maxLength: 4 }),
  day,
  zone,
  isDraft: fc.boolean(),
  /** Which pictures it shows, and as what. */
  pictures: fc.array(fc.nat(3), { maxLength: 3 }),
  cover: fc.constantFrom('default' as const, 'none' as const, 'chosen' as const),
  /** What each edit changes, and whether the version before it got a name: otherwise one list entry has both. */
  edits: fc.array(
    fc.record({ isNamed: fc.boolean(), what: fc.constantFrom('text', 'pictures', 'title', 'day') }),
    { maxLength: 4 },
  ),
  by: fc.constantFrom('owner' as const, 'editor' as const),
})
const milestone = fc.record({
  title,
  text,
  completed: fc.boolean(),
  startsOn: fc.option(fc.constantFrom('2024-01-01', '1999-12-31')),
  dueOn: fc.option(fc.constantFrom('2024-02-29', '2030-01-01')),
  entries: fc.array(entry, { maxLength: 3 }),
})
const project = fc.record({
  title,
  text,
  visibility: fc.constantFrom('private' as const, 'unlisted' as const, 'public' as const),
  cover: fc.constantFrom('default' as const, 'none' as const, 'chosen' as const),
  milestones: fc.array(milestone, { minLength: 1, maxLength: 3 }),
  /** The milestone that is moved to the front. */
  moved: fc.nat(2),
})
type Project = typeof project extends fc.Arbitrary<infer T> ? T : never

async function picturesFor(owner: Person, projectId: string) {
  const taken = { IFD2: { DateTimeOriginal: '2025:06:07 08:09:10' } }
  const sent = [
    { name: 'Bö ard (1).jpg', bytes: await picture(60, 40).withExif(taken).jpeg().toBuffer() },
    { name: 'con.png', bytes: await picture(6, 4).png().toBuffer() },
    { name: 'BÖ ARD (1).JPG', bytes: await picture(9, 4).webp().toBuffer() },
    { name: 'plan.pdf', bytes: Buffer.from('%PDF-1.4 plan') },
  ]
  const files = []
  for (const one of sent) {
    from.later(1_001)
    files.push(await uploader(from).upload(owner, projectId, one))
  }
  return files
}

async function build(owner: Person, { milestones, moved, cover, text: description, ...fields }: Project) {
  const { _id: projectId } = await from.project(owner, { ...fields, description })
  const editor = await from.member(projectId, 'editor')
  const files = await picturesFor(owner, projectId)
  const ofEditor = await picturesFor(editor, projectId)
  const ids: string[] = []
  for (const { entries, text: description, ...planned } of milestones) {
    from.later(1_003)
    const { _id } = await from.milestone(owner, projectId, {
      ...planned,
      description,
      dueOn: planned.startsOn && planned.dueOn && planned.dueOn < planned.startsOn ? null : planned.dueOn,
    })
    ids.push(_id)
    for (const written of entries) {
      const writer = written.by === 'owner' ? owner : editor
      await write(writer, _id, written, written.by === 'owner' ? files : ofEditor)
    }
  }
  if (moved > 0 && ids[moved])
    await from.call(
      'moveMilestone',
      { params: { milestoneId: ids[moved] }, body: { after: null } },
      { as: owner },
    )
  const coverFile = { default: 'default', none: null, chosen: files[1]?._id ?? null }[cover]
  await from.call('updateProject', { params: { projectId }, body: { coverFile } }, { as: owner })
  return projectId
}

type Written = typeof entry extends fc.Arbitrary<infer T> ? T : never
type Files = Awaited<ReturnType<typeof picturesFor>>

async function write(writer: Person, milestoneId: string, written: Written, files: Files) {
  from.later(1_007)
  const { title, tags, day, zone, isDraft, pictures, cover, edits } = written
  const shown = pictures.map((at) => `![A “caption”](${files[at]?.url} "In (June)")`).join('\n')
  const content = `${written.text}\n\n${shown}`
  const coverFile = { default: undefined, none: null, chosen: files[0]?._id }[cover]
  const { _id: entryId } = await from.entry(writer, milestoneId, {
    title,
    content,
    tags,
    state: isDraft ? 'draft' : 'published',
    happenedOn: day,
    happenedZone: zone,
    ...(coverFile !== undefined && { coverFile }),
  })
  const params = { milestoneId, entryId }
  for (const [number, { isNamed, what }] of edits.entries()) {
    if (isNamed) await nameLatest(writer, params, `Before edit ${number}`)
    from.later(61_000)
    const changed = {
      text: { content: `${content}\n${number}` },
      pictures: { content: `${number} without pictures` },
      title: { title: `${title.slice(0, 50)} ${number}` },
      day: { happenedOn: '2001-01-01', happenedZone: 'UTC' },
    }
    await from.call('updateEntry', { params, body: changed[what] }, { as: writer })
  }
}

async function nameLatest(writer: Person, entry: { milestoneId: string; entryId: string }, name: string) {
  const { revisions } = await from.call('listRevisions', { params: entry, query: {} }, { as: writer })
  const params = { ...entry, revisionId: revisions[0]?._id ?? '' }
  await from.call('nameRevision', { params, body: { name } }, { as: writer })
}

/** Returns what is in an archive, with the times of files, but for the time at which it was made. */
async function comparable(archive: Buffer) {
  const files = await unzipped(archive)
  const text = (path: string) => files.get(path)?.toString() ?? ''
  const json = text('milepost.json').replace(/"madeAt":"[^"]+",/, '')
  const sums = text('SHA256SUMS').replace(/.*milepost\.json\n/, '')
  const times = []
  for await (const { fileName, ...one } of (await fromBufferPromise(archive)).eachEntry())
    if (fileName.includes('/')) times.push([fileName, one.lastModFileDate, one.lastModFileTime])
  files.delete('milepost.json')
  return { json: JSON.parse(json), text: json, sums, times, paths: [...files.keys()] }
}

it(
  'an archive that was imported into an empty server is exported as the same archive',
  async () => {
    await fc.assert(
      fc.asyncProperty(project, fc.boolean(), async (wanted, history) => {
        const ada = await from.person({ name: AUTHOR })
        const projectId = await build(ada, wanted)
        const asked = { scope: { project: projectId }, history }
        const archive = (await exported(from, ada, asked)).bytes
        const other = await to.person({ name: AUTHOR })
        const brought = await imports.bring(other, 'boat.zip', archive, { visibility: wanted.visibility })
        expect(brought).toMatchObject({ state: 'done', report: { problems: [], made: brought.plan?.counts } })
        const again = (await exported(to, other, asked)).bytes
        expect(await comparable(again)).toEqual(await comparable(archive))
      }),
      { numRuns: isLong ? 60 : 3, endOnFailure: true },
    )
  },
  isLong ? 600_000 : 240_000,
)
