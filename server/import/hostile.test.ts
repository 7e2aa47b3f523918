import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { startSchedule } from '#server/platform/schedule.ts'
import { openArchive } from './archive.ts'
import { convertHere } from './convert-task.ts'
import { roomOf } from './room.ts'
import { importer, zipOf } from './testing.ts'
import { importingApp } from './testing-app.ts'
import { importPlaces, importSweep } from './work.ts'

const { t, imports } = await importingApp({}, { trustProxy: true })

const planOf = async (archive: Buffer, name = 'x.zip') => imports.plan(await t.person(), name, archive)

/** The offset of the first record of the directory at the end of a ZIP. */
const directoryOf = (archive: Buffer) => archive.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'))

describe('what is no ZIP', () => {
  it.each([
    [
      'notes.zip',
      Buffer.from('Rar!\u001a\u0007\u0001', 'latin1'),
      /“notes\.zip” is a RAR archive, not a ZIP: unpack it/,
    ],
    ['notes.zip', Buffer.from('377abcaf271c0004', 'hex'), /is a 7z archive/],
    ['notes.zip', Buffer.from('1f8b0800', 'hex'), /is an archive of gzip/],
    ['notes', Buffer.concat([Buffer.alloc(257, 65), Buffer.from('ustar')]), /is an archive of tar/],
    ['notes.jex', Buffer.from('x'), /export it there as “MD - Markdown \+ Front Matter”/],
    ['notes.zip', Buffer.from('<!DOCTYPE html><title>Sign in'), /is the page of a website/],
  ])('is named in the refusal: %s, %j', async (name, bytes, sentence) => {
    expect((await planOf(bytes, name)).problem).toMatch(sentence)
  })

  it('is refused as locked if all of it is encrypted', async () => {
    const archive = await zipOf({ 'a.md': 'secret' })
    const flags = directoryOf(archive) + 8
    archive.writeUInt16LE(archive.readUInt16LE(flags) | 1, flags)
    expect((await planOf(archive)).problem).toMatch(/locked with a password: unlock it/)
  })

  it('is refused as an export that only Joplin reads', async () => {
    const note = `Keel\n\nplaned\n\nid: ${'a'.repeat(32)}\ntype_: 1`
    const archive = await zipOf({ [`${'a'.repeat(32)}.md`]: note, [`resources/${'b'.repeat(32)}.png`]: 'x' })
    expect((await planOf(archive)).problem).toMatch(/an export of Joplin for Joplin alone/)
  })
})

/** Returns a ZIP whose directory names its only file so many times. */
async function namedOften(times: number): Promise<Buffer> {
  const archive = await zipOf({ 'a.md': 'Text' })
  const begin = directoryOf(archive)
  const end = archive.indexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  const records = Buffer.concat(Array.from({ length: times }, () => archive.subarray(begin, end)))
  const close = Buffer.from(archive.subarray(end))
  close.writeUInt16LE(times, 8)
  close.writeUInt16LE(times, 10)
  close.writeUInt32LE(records.length, 12)
  return Buffer.concat([archive.subarray(0, begin), records, close])
}

describe('a hostile archive', () => {
  it('is refused if it names the same file too often', async () => {
    const { plan } = await planOf(await namedOften(20))
    expect(plan).toMatchObject({ counts: { entries: 1 } })
    expect((await planOf(await namedOften(60_000))).problem).toMatch(/thousands of names for the same file/)
  })

  it.each([
    [
      'an XML that multiplies',
      'bomb.xml',
      () =>
        Promise.resolve(
          Buffer.from(
            `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "${'&a;'.repeat(20)}"><!ENTITY c "${'&b;'.repeat(20)}">]><rss><channel><title>&c;</title></channel></rss>`,
          ),
        ),
      /abbreviations/,
    ],
    [
      'an XML that is nested deeply',
      'deep.xml',
      () => Promise.resolve(Buffer.from(`<rss>${'<a>'.repeat(100_000)}`)),
      /nested too deeply/,
    ],
    [
      'an XML that is cut off',
      'cut.xml',
      () => Promise.resolve(Buffer.from('<rss><channel><item>')),
      /incomplete/,
    ],
    [
      'a JSON that is cut off',
      'cut.json',
      () => Promise.resolve(Buffer.from('{"metadata":{"version":"1.0"},"entries":[{"uuid":"')),
      /damaged or incomplete/,
    ],
  ])('with %s is refused with a sentence before it grows', async (_what, name, archiveOf, sentence) => {
    const archive = await archiveOf()
    const person = await t.person()
    expect(await imports.plan(person, name, archive)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(sentence),
    })
  })

  it('names a link to another file, and a file that is larger than it announces', async () => {
    const archive = await zipOf({ 'a.md': 'Text', 'passwords.md': '/etc/passwd' })
    const first = directoryOf(archive)
    const second = archive.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'), first + 4)
    archive.writeUInt32LE((0o120_777 << 16) >>> 0, second + 38)
    expect(await planOf(archive)).toMatchObject({
      state: 'planned',
      plan: {
        counts: { entries: 1 },
        problems: [{ reason: 'it is a link to another file', paths: ['passwords.md'] }],
      },
    })
    const lying = await zipOf({ 'a.md': 'Text', 'b.md': 'A longer text' })
    lying.writeUInt32LE(2, directoryOf(lying) + 24)
    expect((await planOf(lying)).plan?.problems).toMatchObject([
      { reason: expect.stringMatching(/damaged/), paths: ['a.md'] },
    ])
  })

  it('has its names read in the code page of MS-DOS, and composed', async () => {
    const archive = await zipOf({ 'Mxhe/Keim.md': 'One', 'Cafe\u0301/Noe\u0308l.md': 'Two' })
    for (let at = archive.indexOf('Mxhe'); at >= 0; at = archive.indexOf('Mxhe', at + 1))
      archive[at + 1] = 0x81
    const { plan } = await planOf(archive)
    expect(plan?.projects[0]?.milestones.map(({ title }) => title)).toEqual(['Caf\u00e9', 'M\u00fche'])
  })

  it('has another archive inside left as a file, unless that is a part of it', async () => {
    const part = await zipOf({ 'From the part.md': 'One' })
    const other = await zipOf({ 'Not read.md': 'Two' })
    const { plan } = await planOf(
      await zipOf({
        'Export-1-Part-1.zip': part,
        'Text.md': '[the drawings](drawings.zip)',
        'drawings.zip': other,
      }),
    )
    expect(plan?.counts).toMatchObject({ entries: 2, files: 1 })
  })
})

describe('the texts of a folder', () => {
  it('have front matter in TOML and JSON, and come of bundles', async () => {
    const ada = await t.person()
    await imports.bring(
      ada,
      'Site.zip',
      await zipOf({
        'content/toml.md':
          '+++\ntitle = "Of TOML"\ndate = 2024-05-06T07:08:09Z\ntags = [\n  "a", # one\n  "b",\n]\n[params]\nx = 1\n+++\nText',
        'content/json.md': '{\n  "title": "Of JSON",\n  "date": "2023-04-05",\n  "draft": true\n}\nText',
        'content/Bear note.textbundle/text.md': '# Of a bundle\n\n![](assets/a.png)',
        'content/Bear note.textbundle/info.json': '{"version":2}',
        'content/Bear note.textbundle/assets/a.png': await picture(6, 4).png().toBuffer(),
      }),
    )
    const [project] = await t.call('listProjects', {}, { as: ada })
    const { entries } = await t.call(
      'listProjectEntries',
      { params: { projectId: project?._id ?? '' }, query: { limit: 24 } },
      { as: ada },
    )
    const byTitle = Object.fromEntries(entries.map((entry) => [entry.title, entry]))
    expect(byTitle['Of TOML']).toMatchObject({
      happenedOn: '2024-05-06',
      tags: ['a', 'b'],
      state: 'published',
    })
    expect(byTitle['Of JSON']).toMatchObject({ happenedOn: '2023-04-05', state: 'draft' })
    expect(byTitle['Of a bundle']?.imageURL).toBeDefined()
  })

  it('come with the pictures that are written into them, as a document of Google has them', async () => {
    const ada = await t.person()
    const bytes = await picture(400, 300).png().toBuffer()
    const data = `data:image/png;base64,${bytes.toString('base64')}`
    const { report } = await imports.bring(
      ada,
      'Doc.zip',
      await zipOf({
        'Doc.md': `# Keel\n\nPlaned: ![][image1]\n\n[image1]: <${data}>\n`,
        'Page.html': `<title>Mast</title><p>Sawed <img src="${data}" alt="it"></p>`,
      }),
    )
    expect(report).toMatchObject({ made: { entries: 2, files: 2 }, problems: [] })
    const [project] = await t.call('listProjects', {}, { as: ada })
    const { entries } = await t.call(
      'listProjectEntries',
      { params: { projectId: project?._id ?? '' }, query: { limit: 24 } },
      { as: ada },
    )
    for (const { title, content, image } of entries) {
      expect([title, content.length < 300]).toEqual([title, true])
      expect(image).toMatchObject({ width: 400, height: 300 })
    }
  })

  it('come as several entries if one is longer than an entry may be', async () => {
    const { plan } = await planOf(await zipOf({ 'long.md': 'A line of words.\n\n'.repeat(25_000) }))
    expect(plan).toMatchObject({
      counts: { entries: 3 },
      problems: [{ reason: 'it is longer than an entry may be, and comes as several', count: 1 }],
    })
  })
})

describe('an archive that grows while it is read', () => {
  const ROOM = 20_000
  const rooms: number[] = []
  const narrow = () =>
    importer(t, () => ({
      run: (task) => {
        rooms.push(task.room)
        return convertHere({ ...task, room: ROOM })
      },
      close: async () => undefined,
    }))
  const problemOf = async (archive: Buffer) => {
    const { state, problem } = await narrow().plan(await t.person(), 'x.zip', archive)
    return [state, problem]
  }
  const refusal = ['failed', expect.stringContaining('more than the 0.02 MB that there is for reading it')]

  const at = '2026-01-02T03:04:05.000Z'
  const stored = () => ({ _id: uuidv7(), createdAt: at, updatedAt: at, version: 100 })
  const saved = { title: 'Day', tags: [], state: 'published', happenedAt: at, happenedZone: 'UTC', files: [] }
  const archiveOf = (entry: object) => {
    const day = { ...stored(), ...saved, happenedOn: '2026-01-02', author: null, publishedAt: at }
    const entries = [{ ...day, path: 'day.md', content: 'x', ...entry }]
    const stage = { ...stored(), title: 'Hull', description: 'x', completed: false, entries }
    const project = { ...stored(), title: 'Canoe', description: 'x', visibility: 'private' }
    const projects = [{ ...project, milestones: [stage] }]
    return zipOf({ 'milepost.json': JSON.stringify({ format: 1, projects }), 'old.md': 'x'.repeat(1_000) })
  }
  const versionsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...saved,
      version: index + 1,
      firstVersion: index + 1,
      createdAt: at,
      begunAt: at,
      happenedOn: '2026-01-02',
      authors: [],
      name: null,
      cause: 'save',
      wordCount: 1,
      path: 'old.md',
    }))

  it('is refused if its records name one text more often than there is room for', async () => {
    expect((await problemOf(await archiveOf({ versions: versionsOf(5) })))[0]).toBe('planned')
    expect(await problemOf(await archiveOf({ versions: versionsOf(30) }))).toEqual(refusal)
  })

  it('is refused if its parts have no room', async () => {
    const part = (bytes: number) => zipOf({ 'a.md': 'Text', 'a.bin': randomBytes(bytes) })
    const divided = async (bytes: number) =>
      zipOf({ 'Export-part-1.zip': await part(bytes), 'Export-part-2.zip': await part(bytes) })
    expect((await problemOf(await divided(5_000)))[0]).toBe('planned')
    expect(await problemOf(await divided(15_000))).toEqual(refusal)
  })

  it('has the room that its person may fill here', () => {
    expect(new Set(rooms)).toEqual(new Set([t.deps.quotas.accountQuota]))
    expect(roomOf(1)).toBe(1_000_000_000)
  })

  it('brings no path that is longer than any', async () => {
    const { plan } = await planOf(await archiveOf({ path: 'x'.repeat(20_000) }))
    expect(plan).toMatchObject({
      counts: { entries: 0 },
      problems: [{ reason: 'milepost.json describes it wrongly (path)' }],
    })
  })
})

describe('an archive that takes long to read', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Sends an archive from a network; the one named `slow.md` takes until `end` is called. */
  function working() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const reading = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const places = importPlaces(t.deps, () => ({
      run: async (task) => {
        if (task.name === 'slow.md') {
          reading.resolve()
          await ended.promise
        }
        return convertHere(task)
      },
      close: async () => undefined,
    }))
    const stop = startSchedule(places, t.deps.log)
    const tick = () => vi.advanceTimersByTime(2_000)
    return {
      reading: reading.promise,
      tick,
      send: async (name: string, network: string) => {
        const person = await t.person()
        const as = { ...person, headers: { ...person.headers, 'x-forwarded-for': network } }
        const begun = await t.call('createImport', { body: { name, size: 4 } }, { as })
        await imports.send(as, begun, Buffer.from('Text'))
        return { state: async () => (await imports.read(as, begun)).state }
      },
      end: async () => {
        ended.resolve()
        await stop()
      },
    }
  }

  it('keeps no place from those that come later', async () => {
    const { send, tick, reading, end } = working()
    await send('slow.md', '192.0.2.1')
    tick()
    await reading
    const newcomer = await send('quick.md', '192.0.2.2')
    await expect
      .poll(() => {
        tick()
        return newcomer.state()
      })
      .toBe('planned')
    await end()
  })

  it('is the only one of its network that is read', async () => {
    const { send, tick, reading, end } = working()
    const same = [await send('slow.md', '192.0.2.1'), await send('slow.md', '192.0.2.1')]
    tick()
    await reading
    const newcomer = await send('quick.md', '192.0.2.2')
    await expect
      .poll(() => {
        tick()
        return newcomer.state()
      })
      .toBe('planned')
    expect(await Promise.all(same.map(({ state }) => state()))).toEqual(['inspecting', 'inspecting'])
    await end()
    await imports.work()
    expect(await Promise.all(same.map(({ state }) => state()))).toEqual(['planned', 'planned'])
  })
})

describe('an archive of Milepost', () => {
  it('has a file whose checksum is another named, and the rest brought', async () => {
    const ada = await t.person()
    const project = await t.project(ada)
    const milestone = await t.milestone(ada, project._id)
    const bytes = await picture(6, 4).png().toBuffer()
    const file = await uploader(t).upload(ada, project._id, { name: 'board.png', bytes })
    await t.entry(ada, milestone._id, { title: 'First', content: `![](/files/${file._id})` })
    const { url } = await t.call('prepareExport', { body: {} }, { as: ada })
    const archive = (await t.app.inject(url)).rawPayload
    const whole = await planOf(archive)
    expect(whole.plan).toMatchObject({ counts: { files: 1, entries: 1 }, problems: [] })
    const folder = await mkdtemp(path.join(tmpdir(), 'milepost-sums-'))
    await writeFile(`${folder}/a.zip`, archive)
    const { items, close } = await openArchive({
      file: `${folder}/a.zip`,
      name: 'a.zip',
      work: `${folder}/work`,
      room: 0,
    })
    const files: { [path: string]: Buffer } = {}
    for (const item of items) files[item.path] = await buffer(await item.open())
    close()
    await rm(folder, { recursive: true })
    const damaged = Object.keys(files).find((one) => one.endsWith('board.png')) ?? ''
    files[damaged] = await picture(5, 5).png().toBuffer()
    expect((await planOf(await zipOf(files))).plan).toMatchObject({
      counts: { files: 0, entries: 1 },
      problems: [{ reason: expect.stringContaining('checksum'), paths: [damaged] }],
    })
  })
})

describe('an import whose process has died', () => {
  const MANY = Object.fromEntries(
    Array.from({ length: 23 }, (_, at) => [`Log/${at}.md`, `# Day ${at}\n\nText ${at}`]),
  )

  async function interrupted() {
    const ada = await t.person()
    const planned = await imports.plan(ada, 'Log.zip', await zipOf(MANY))
    await imports.start(ada, planned)
    const { render } = t.deps.renderer
    const hung = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let left = 21
    t.deps.renderer.render = async (client, content) => {
      left -= 1
      if (left < 0) {
        reached.resolve()
        await hung.promise
      }
      return render(client, content)
    }
    const first = imports.work()
    await reached.promise
    t.deps.renderer.render = render
    return { ada, planned, first, goOn: hung.resolve }
  }

  it('goes on in another without doubles, also when the first one wakes up', async () => {
    const { ada, planned, first, goOn } = await interrupted()
    await t.deps.db
      .updateTable('imports')
      .set({ lease_until: new Date(0) })
      .where('id', '=', planned._id)
      .execute()
    await imports.work()
    expect(await imports.read(ada, planned)).toMatchObject({
      state: 'done',
      report: { made: { entries: 23 } },
    })
    goOn()
    await first
    expect(await imports.read(ada, planned)).toMatchObject({ state: 'done', problem: null })
    const [project, ...others] = await t.call('listProjects', {}, { as: ada })
    expect(others).toEqual([])
    const page = await t.call(
      'listProjectEntries',
      { params: { projectId: project?._id ?? '' }, query: { limit: 24 } },
      { as: ada },
    )
    expect(page.entries.length).toBe(23)
  })

  it('can be undone when it was left alone for a week', async () => {
    const ada = await t.person()
    const planned = await imports.plan(ada, 'Log.zip', await zipOf(MANY))
    await imports.start(ada, planned)
    const { render } = t.deps.renderer
    let left = 21
    t.deps.renderer.render = (client, content) => {
      left -= 1
      return left < 0 ? Promise.reject(new Error('killed')) : render(client, content)
    }
    await imports.work().finally(() => (t.deps.renderer.render = render))
    const long = new Date(t.deps.clock().getTime() - 8 * 86_400_000)
    await t.deps.db.updateTable('imports').set({ updated_at: long }).where('id', '=', planned._id).execute()
    await importSweep(t.deps).run()
    expect(await imports.read(ada, planned)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('paused for a week'),
      undoUntil: expect.any(String),
    })
    expect(await imports.undo(ada, planned)).toMatchObject({ state: 'undone' })
    expect(await t.call('listProjects', {}, { as: ada })).toEqual([])
  })
})

describe('a history in an archive of Milepost', () => {
  const at = '2026-03-04T05:06:07.000Z'
  const common = { createdAt: at, updatedAt: at, version: 9 }
  const day = { happenedAt: at, happenedOn: '2026-03-04', happenedZone: 'UTC' }
  const one = (version: number, more: object = {}) => ({
    version,
    firstVersion: version,
    createdAt: at,
    begunAt: at,
    authors: ['The keeper'],
    name: null,
    cause: 'save',
    state: 'published',
    title: `Version ${version}`,
    tags: [],
    wordCount: 1,
    ...day,
    path: `${version}.md`,
    files: [],
    ...more,
  })
  const archive = (versions: unknown[]) => {
    const [project, milestone, entry] = ['1', '2', '3'].map(
      (digit) => `01900000-0000-7000-8000-00000000000${digit}`,
    )
    const text = {
      title: 'Now',
      content: 'now',
      tags: [],
      state: 'published',
      author: null,
      publishedAt: at,
      files: [],
    }
    const entries = [{ _id: entry, path: 'now.md', ...common, ...day, ...text, versions }]
    const stage = { _id: milestone, ...common, title: 'Hull', description: 'x', completed: false, entries }
    const boat = {
      _id: project,
      ...common,
      title: 'Boat',
      description: 'x',
      visibility: 'private',
      milestones: [stage],
    }
    return zipOf({
      'milepost.json': JSON.stringify({ format: 1, projects: [boat] }),
      '1.md': 'first',
      '2.md': 'second',
      '3.md': 'x'.repeat(200_001),
      '4.md': 'nul\u0000 and \ud800',
    })
  }

  it('brings what is right of it, and names the rest', async () => {
    const eve = await t.person()
    const { state, report } = await imports.bring(
      eve,
      'boat.zip',
      await archive([
        one(1, { authors: ['a'.repeat(100_000)] }),
        one(1, { path: '2.md' }),
        one(2, { happenedOn: '0000-01-01' }),
        one(2, { coverFile: '01900000-0000-7000-8000-00000000000f' }),
        one(3, { path: '../../2.md' }),
        one(4, { path: '3.md' }),
        one(5, { path: '4.md' }),
        one(9),
        one(9, { path: undefined, wordCount: 3e9 }),
        'no record',
      ]),
    )
    expect(state).toBe('done')
    expect(report?.problems.reduce((sum, { count }) => sum + count, 0)).toBe(7)
    const [project] = await t.call('listProjects', {}, { as: eve })
    const [milestone] = await t.call(
      'listMilestones',
      { params: { projectId: project?._id ?? '' } },
      { as: eve },
    )
    const params = { milestoneId: milestone?._id ?? '', entryId: '01900000-0000-7000-8000-000000000003' }
    const { revisions } = await t.call('listRevisions', { params, query: {} }, { as: eve })
    expect(revisions.map(({ version }) => version)).toEqual([9, 5, 2, 1])
    expect(await findInconsistencies(t.config)).toEqual([])
  })
})
