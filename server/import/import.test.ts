import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { allRows, findInconsistencies } from '#server/database/testing-contents.ts'
import { exported, unzipped } from '#server/export/testing.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import type { Person } from '#server/testing/builders.ts'
import type { Sender } from '#server/testing/client.ts'
import { deleted } from '#server/trash/testing.ts'
import { Refused } from './items.ts'
import { importer, readHere, zipOf } from './testing.ts'
import { importingApp } from './testing-app.ts'
import { importWork } from './work.ts'

const { t, imports } = await importingApp()

const NOTES = {
  'Boat/01 Plans/2026-01-02-first-lines.md':
    '# First lines\n\nDrawn at night. See [[Second thoughts]] and ![[hull.png|300]].\n',
  'Boat/01 Plans/Second thoughts.md':
    '---\ndate: 2026-01-05 10:30\ntags: [wood, glue]\ndraft: true\n---\nBack to [the first](2026-01-02-first-lines.md).\n',
  'Boat/02 Hull/empty.md': '\n',
  'Boat/.obsidian/app.json': '{}',
}

async function vault() {
  return zipOf({
    ...NOTES,
    'Boat/media/deep/Hull.png': await picture(6, 4).png().toBuffer(),
    'Boat/media/unused.pdf': 'x',
  })
}

async function entriesOf(as: Sender, projectId: string) {
  const { entries } = await t.call(
    'listProjectEntries',
    { params: { projectId }, query: { limit: 24 } },
    { as },
  )
  return Promise.all(
    entries.map(({ _id, milestone }) =>
      t.call('readEntry', { params: { milestoneId: milestone, entryId: _id } }, { as }),
    ),
  )
}

const projectsOf = (as: Sender) => t.call('listProjects', {}, { as })

async function counts() {
  const tables = [
    'projects',
    'milestones',
    'entries',
    'activity',
    'notifications',
    'webhook_deliveries',
    'import_items',
    'entry_revisions',
  ] as const
  const found: Record<string, number> = {}
  for (const table of tables)
    found[table] = Number(
      (
        await t.deps.db
          .selectFrom(table)
          .select((q) => q.fn.countAll<string>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  return found
}

describe('an import', () => {
  it('plans what it creates, and creates that', async () => {
    const ada = await t.person()
    const planned = await imports.plan(ada, 'Boat.zip', await vault())
    expect(planned).toMatchObject({
      state: 'planned',
      plan: {
        source: 'markdown',
        counts: { projects: 1, milestones: 1, entries: 2, files: 1 },
        drafts: 1,
        here: 0,
        from: '2026-01-02',
        until: '2026-01-05',
        tags: [
          { name: 'glue', count: 1 },
          { name: 'wood', count: 1 },
        ].toReversed(),
        problems: [
          { reason: 'it has no text', paths: ['Boat/02 Hull/empty.md'] },
          { reason: 'no text shows it', paths: ['Boat/media/unused.pdf'] },
        ],
      },
    })
    await imports.start(ada, planned)
    await imports.work()
    const done = await imports.read(ada, planned)
    expect(done).toMatchObject({
      state: 'done',
      report: { made: planned.plan?.counts, problems: planned.plan?.problems },
    })
    const [project] = await projectsOf(ada)
    expect(project).toMatchObject({ title: 'Boat', visibility: 'private' })
    const entries = await entriesOf(ada, project?._id ?? '')
    const first = entries.find(({ title }) => title === 'First lines')
    const second = entries.find(({ title }) => title === 'Second thoughts')
    expect(first).toMatchObject({ happenedOn: '2026-01-02', state: 'published', version: 1 })
    expect(second).toMatchObject({ happenedOn: '2026-01-05', state: 'draft', tags: ['wood', 'glue'] })
    const address = (entry: typeof first) =>
      `/projects/${project?._id}/milestones/${entry?.milestone}/entries/${entry?._id}`
    expect(first?.content).toContain(`See [Second thoughts](${address(second)}) and ![](/files/`)
    expect(second?.content).toContain(`[the first](${address(first)})`)
    expect(first?.imageURL).toBeDefined()
  })

  it('finds everything there the second time', async () => {
    const ada = await t.person()
    await imports.bring(ada, 'Boat.zip', await vault())
    const before = await counts()
    const again = await imports.bring(ada, 'Boat (1).zip', await vault())
    expect(again).toMatchObject({
      state: 'done',
      plan: { here: 2 },
      report: { here: 2, made: { projects: 0, entries: 0 } },
    })
    expect(await counts()).toEqual(before)
  })

  it('tells nobody, and undoing it leaves nothing', async () => {
    const ada = await t.person()
    const before = await counts()
    const brought = await imports.bring(ada, 'Boat.zip', await vault())
    const { activity, notifications, webhook_deliveries } = before
    expect(await counts()).toMatchObject({ activity, notifications, webhook_deliveries })
    const undone = await imports.undo(ada, brought)
    expect(undone).toMatchObject({ state: 'undone', report: { kept: [] } })
    expect(await counts()).toEqual(before)
    expect(await projectsOf(ada)).toEqual([])
  })

  it('is nothing for a program that is limited to some projects, and is not undone by one that may not publish', async () => {
    const ada = await t.person()
    const { _id: own } = await t.project(ada)
    const { _id: importId } = await imports.bring(ada, 'Boat.zip', await vault())
    const limited = await t.program(ada, { projects: [own] })
    const refusal = {
      code: 'insufficient_scope',
      message: expect.stringContaining('limited to some projects'),
    }
    expect(await t.refused('listImports', {}, { as: limited })).toMatchObject(refusal)
    for (const name of ['readImport', 'undoImport', 'deleteImport'] as const)
      expect(await t.refused(name, { params: { importId } }, { as: limited })).toMatchObject(refusal)
    const writer = await t.program(ada, { scopes: ['read', 'write', 'manage'] })
    expect(await t.refused('undoImport', { params: { importId } }, { as: writer })).toMatchObject({
      message: 'This access token lacks the scope “publish”',
    })
  })

  it('leaves every row of the database as it was, once it is undone', async () => {
    const ada = await t.person()
    const project = await t.project(ada, { title: 'Before' })
    await t.entry(ada, (await t.milestone(ada, project._id))._id, { title: 'Day 1', content: 'Kept' })
    const rows = async () => {
      const { imports: _imports, import_items: _items, ...all } = await allRows(t.config)
      // Ids are not given twice, and a removed file waits for the sweep that deletes its bytes.
      const { removed_ids: _ids, files = [], ...rest } = all
      return { ...rest, files: files.filter(({ state }) => state !== 'removing') }
    }
    const before = await rows()
    const brought = await imports.bring(ada, 'Boat.zip', await vault())
    expect(brought).toMatchObject({ state: 'done', report: { made: { files: 1 } } })
    expect(await rows()).not.toEqual(before)
    expect(await imports.undo(ada, brought)).toMatchObject({ state: 'undone' })
    expect(await rows()).toEqual(before)
  })

  it('keeps an entry that was edited since, and says so', async () => {
    const ada = await t.person()
    const brought = await imports.bring(ada, 'Boat.zip', await vault())
    const [project] = await projectsOf(ada)
    const [entry] = (await entriesOf(ada, project?._id ?? '')).filter(({ title }) => title === 'First lines')
    if (!entry) throw new Error('no entry')
    const params = { milestoneId: entry.milestone, entryId: entry._id }
    await t.call('updateEntry', { params, body: { title: 'Mine now' } }, { as: ada })
    const undone = await imports.undo(ada, brought)
    expect(undone.report?.kept).toEqual(expect.arrayContaining(['Mine now']))
    expect((await entriesOf(ada, project?._id ?? '')).map(({ title }) => title)).toEqual(['Mine now'])
  })

  it('is undone many at a time, but for the ones among them that were edited or deleted since', async () => {
    const ada = await t.person()
    const days = Array.from({ length: 45 }, (_, at) => [`Log/${at}.md`, `# Day ${at}\n\nGlue.`] as const)
    const brought = await imports.bring(ada, 'Log.zip', await zipOf(Object.fromEntries(days)))
    const [project] = await projectsOf(ada)
    const [edited, removed] = await entriesOf(ada, project?._id ?? '')
    if (!edited || !removed) throw new Error('no entries')
    const params = { milestoneId: edited.milestone, entryId: edited._id }
    await t.call('updateEntry', { params, body: { title: 'Mine now' } }, { as: ada })
    await deleted(t, ada, { milestoneId: removed.milestone, entryId: removed._id })
    const before = new Set((await t.pool.query('select id from removed_ids')).rows.map(({ id }) => id))
    const undone = await imports.undo(ada, brought)
    const { rows } = await t.pool.query('select id, xmin::text as transaction from removed_ids')
    const written = rows.filter(({ id }) => !before.has(id))
    expect(written).toHaveLength(43)
    expect(new Set(written.map(({ transaction }) => transaction)).size).toBe(3)
    expect(undone.report?.kept).toEqual(expect.arrayContaining(['Mine now', removed.title]))
    expect(await entriesOf(ada, project?._id ?? '')).toMatchObject([{ title: 'Mine now' }])
  })

  it('brings earlier versions, which an undo takes back unless somebody has added one, and names one that is not there', async () => {
    const ada = await t.person({ name: 'Ada' })
    const { _id: projectId } = await t.project(ada)
    const { _id: milestoneId } = await t.milestone(ada, projectId)
    const { _id: entryId } = await t.entry(ada, milestoneId, { content: 'first' })
    for (const content of ['second', 'third']) {
      t.later(11 * 60_000)
      await t.call('updateEntry', { params: { milestoneId, entryId }, body: { content } }, { as: ada })
    }
    const archive = (await exported(t, ada, { scope: { project: projectId }, history: true })).bytes
    const before = await counts()

    const bo = await t.person({ name: 'Bo' })
    const untouched = await imports.bring(bo, 'boat.zip', archive)
    const [project] = await projectsOf(bo)
    const [entry] = await entriesOf(bo, project?._id ?? '')
    const params = { milestoneId: entry?.milestone ?? '', entryId: entry?._id ?? '' }
    const { revisions } = await t.call('listRevisions', { params, query: {} }, { as: bo })
    expect(revisions).toMatchObject([
      { version: 3, isCurrent: true, authors: [{ name: 'Ada' }] },
      { version: 2, authors: [{ name: 'Ada' }] },
      { version: 1, authors: [{ name: 'Ada' }] },
    ])
    const restored = { ...params, revisionId: revisions[2]?._id ?? '' }
    expect(await t.call('readRevision', { params: restored }, { as: bo })).toMatchObject({ content: 'first' })
    expect(await findInconsistencies(t.config)).toEqual([])
    expect((await imports.undo(bo, untouched)).report?.kept).toEqual([])
    expect(await counts()).toMatchObject({ entries: before.entries, entry_revisions: before.entry_revisions })

    const files = await unzipped(archive)
    const gone = [...files.keys()].find((path) => path.endsWith('/2.md')) ?? ''
    files.delete(gone)
    const incomplete = await imports.bring(bo, 'boat.zip', await zipOf(Object.fromEntries(files)))
    expect(incomplete.report?.problems).toMatchObject([{ paths: [gone] }])
    const [again] = await projectsOf(bo)
    const [kept] = await entriesOf(bo, again?._id ?? '')
    const ref = { milestoneId: kept?.milestone ?? '', entryId: kept?._id ?? '' }
    await t.call('updateEntry', { params: ref, body: { content: 'fourth' } }, { as: bo })
    expect((await imports.undo(bo, incomplete)).report?.kept).toContain(kept?.title)
  })

  it('keeps an edited entry also when its edit is the only version that is left', async () => {
    const ada = await t.person()
    const brought = await imports.bring(ada, 'Boat.zip', await vault())
    const [project] = await projectsOf(ada)
    const [entry] = (await entriesOf(ada, project?._id ?? '')).filter(({ title }) => title === 'First lines')
    if (!entry) throw new Error('no entry')
    t.later(1_000)
    const params = { milestoneId: entry.milestone, entryId: entry._id }
    await t.call('updateEntry', { params, body: { title: 'Mine now' } }, { as: ada })
    await t.deps.db
      .deleteFrom('entry_revisions')
      .where('entry_id', '=', entry._id)
      .where('title', '=', 'First lines')
      .execute()
    expect((await imports.undo(ada, brought)).report?.kept).toContain('Mine now')
  })

  it('adds to a project of the person, and leaves out what they do not want', async () => {
    const ada = await t.person()
    const own = await t.project(ada, { title: 'Already here' })
    const planned = await imports.plan(ada, 'Boat.zip', await vault())
    const [{ key, milestones } = { key: '', milestones: [] }] = planned.plan?.projects ?? []
    const skippedMilestones = milestones.filter(({ title }) => title.includes('Hull')).map(({ key }) => key)
    await imports.start(ada, planned, { projects: [{ key, into: own._id, skip: false }], skippedMilestones })
    await imports.work()
    expect(await projectsOf(ada)).toMatchObject([{ _id: own._id, milestoneCount: 1 }])
    const stranger = await t.person()
    const refused = await imports.plan(stranger, 'Boat.zip', await vault())
    const [{ key: other } = { key: '' }] = refused.plan?.projects ?? []
    await imports.start(stranger, refused, { projects: [{ key: other, into: own._id, skip: false }] })
    await imports.work()
    expect(await imports.read(stranger, refused)).toMatchObject({
      state: 'paused',
      problem: 'Project not found',
    })
  })

  it('changes nothing in a project whose person may not edit it any more', async () => {
    const ada = await t.person()
    const shared = await t.project(ada, { title: 'Shared' })
    const bo = await t.member(shared._id, 'editor')
    const planned = await imports.plan(bo, 'Boat.zip', await vault())
    const [{ key } = { key: '' }] = planned.plan?.projects ?? []
    await imports.start(bo, planned, { projects: [{ key, into: shared._id, skip: false }] })
    await imports.work()
    const before = (await entriesOf(ada, shared._id)).length
    expect(before).toBe(1)
    await t.deps.db.deleteFrom('collaborators').where('project_id', '=', shared._id).execute()

    const more = { ...NOTES, 'Boat/01 Plans/third.md': '# Third\n\nLater.\n' }
    expect(await imports.bring(bo, 'Boat.zip', await zipOf(more))).toMatchObject({
      state: 'done',
      plan: { here: 0 },
      report: { made: { projects: 1, entries: 3 } },
    })
    const undone = await imports.undo(bo, planned)
    expect(undone).toMatchObject({
      state: 'undone',
      report: { kept: expect.arrayContaining(['First lines']) },
    })
    expect((await entriesOf(ada, shared._id)).length).toBe(before)
  })

  it('follows a milestone that was moved since to the project where it is', async () => {
    const ada = await t.person()
    await imports.bring(ada, 'Boat.zip', await vault())
    const [boat] = await projectsOf(ada)
    const other = await t.project(ada, { title: 'Other' })
    const [plans] = await t.call('listMilestones', { params: { projectId: boat?._id ?? '' } }, { as: ada })
    const params = { milestoneId: plans?._id ?? '' }
    await t.call('moveMilestone', { params, body: { project: other._id } }, { as: ada })
    const more = { ...NOTES, 'Boat/01 Plans/third.md': '# Third\n\nLater.\n' }
    await imports.bring(ada, 'Boat.zip', await zipOf(more))
    expect((await entriesOf(ada, other._id)).map(({ title }) => title)).toContain('Third')
    expect(await findInconsistencies(t.config)).toEqual([])
  })

  it('needs the scope “publish”, because it publishes', async () => {
    const ada = await t.person()
    const writer = await t.program(ada, { scopes: ['read', 'write', 'manage'] })
    const planned = await imports.plan(ada, 'Boat.zip', await vault())
    const run = { params: { importId: planned._id }, body: {} }
    expect(await t.refused('runImport', run, { as: writer })).toMatchObject({ code: 'insufficient_scope' })
  })

  it('goes on after it was interrupted, without doubles', async () => {
    const ada = await t.person()
    const many = Object.fromEntries(
      Array.from({ length: 23 }, (_, at) => [`Log/${at}.md`, `# Day ${at}\n\nText ${at}`]),
    )
    const planned = await imports.plan(ada, 'Log.zip', await zipOf(many))
    await imports.start(ada, planned)
    const { render } = t.deps.renderer
    let left = 21
    t.deps.renderer.render = (client, content) => {
      left -= 1
      return left < 0 ? Promise.reject(new Error('killed')) : render(client, content)
    }
    await imports.work().finally(() => (t.deps.renderer.render = render))
    const paused = await imports.read(ada, planned)
    expect(paused.state).toBe('paused')
    await imports.start(ada, planned)
    await imports.work()
    expect(await imports.read(ada, planned)).toMatchObject({
      state: 'done',
      report: { made: { entries: 23 } },
    })
    const [project] = await projectsOf(ada)
    expect((await entriesOf(ada, project?._id ?? '')).length).toBe(23)
  })

  it('takes an archive in parts, and the same part again', async () => {
    const ada = await t.person()
    const archive = await zipOf({ 'a.md': 'Text' })
    const begun = await t.call('createImport', { body: { name: 'a.zip', size: archive.length } }, { as: ada })
    const again = await t.call('createImport', { body: { name: 'a.zip', size: archive.length } }, { as: ada })
    expect(again._id).toBe(begun._id)
    expect(await imports.send(ada, begun, archive.subarray(0, 5))).toMatchObject({
      code: 'invalid',
    })
    expect(await imports.send(ada, begun, archive)).toMatchObject({
      received: archive.length,
      state: 'inspecting',
    })
    expect(await imports.send(ada, begun, archive)).toMatchObject({ received: archive.length })
    const stranger = await t.person()
    expect(await imports.send(stranger, begun, archive)).toMatchObject({ code: 'not_found' })
  })

  it('of the same file is the one that already has a plan', async () => {
    const ada = await t.person()
    const archive = await vault()
    const body = { name: 'Boat.zip', size: archive.length, fingerprint: '1' }
    const begun = await t.call('createImport', { body }, { as: ada })
    await imports.send(ada, begun, archive)
    await imports.work()
    expect(await t.call('createImport', { body }, { as: ada })).toMatchObject({
      _id: begun._id,
      state: 'planned',
    })
  })

  it('is one of two at once', async () => {
    const ada = await t.person()
    for (const name of ['a', 'b']) await t.call('createImport', { body: { name, size: 5 } }, { as: ada })
    const refused = await t.refused('createImport', { body: { name: 'c', size: 5 } }, { as: ada })
    expect(refused).toMatchObject({ code: 'conflict' })
    const [first] = await t.call('listImports', {}, { as: ada })
    await t.call('deleteImport', { params: { importId: first?._id ?? '' } }, { as: ada })
    await t.call('createImport', { body: { name: 'c', size: 5 } }, { as: ada })
  })
})

describe('the archive of another Milepost', () => {
  async function download(as: Person) {
    const { url } = await t.call('prepareExport', { body: {} }, { as })
    return (await t.app.inject(url)).rawPayload
  }

  it('brings everything back, under the same ids where they are free', async () => {
    const ada = await t.person({ name: 'Ada' })
    const project = await t.project(ada, { title: 'A radio', visibility: 'public' })
    const milestone = await t.milestone(ada, project._id, { title: 'Lumber & glue', completed: true })
    const file = await uploader(t).upload(ada, project._id, {
      name: 'Bö ard.png',
      bytes: await picture(6, 4).png().toBuffer(),
    })
    const content = `See ![Boards](/files/${file._id} "At noon")`
    const when = { happenedOn: '2026-03-04', happenedZone: 'Asia/Kathmandu' }
    await t.entry(ada, milestone._id, { title: 'First', content, tags: ['b', 'a'], ...when })
    await t.entry(ada, milestone._id, { title: 'Unfinished', state: 'draft' })
    const archive = await download(ada)
    const bo = await t.person({ name: 'Bo' })
    const brought = await imports.bring(bo, 'milepost.zip', archive)
    expect(brought).toMatchObject({ state: 'done', report: { made: brought.plan?.counts, problems: [] } })
    const [copy] = await projectsOf(bo)
    expect(copy).toMatchObject({ title: 'A radio', visibility: 'private', createdAt: project.createdAt })
    expect(copy?._id).not.toBe(project._id)
    const [first, draft] = (await entriesOf(bo, copy?._id ?? '')).toSorted((a, b) =>
      a.title.localeCompare(b.title),
    )
    expect(first).toMatchObject({
      title: 'First',
      author: { name: 'Ada' },
      tags: ['b', 'a'],
      ...when,
      state: 'published',
    })
    expect(first?.content).toMatch(/^See !\[Boards\]\(\/files\/[\da-f-]{36} "At noon"\)$/)
    expect(first?.imageURL).toBeDefined()
    expect(draft).toMatchObject({ title: 'Unfinished', state: 'draft', author: { name: 'Bo' } })
    expect(
      await t.call('listMilestones', { params: { projectId: copy?._id ?? '' } }, { as: bo }),
    ).toMatchObject([{ title: 'Lumber & glue', completed: true }])
  })
})

describe('a hostile archive', () => {
  const refused = async (archive: Buffer, name = 'x.zip') => {
    const eve = await t.person()
    return imports.plan(eve, name, archive)
  }

  it('is refused if it grows beyond measure', async () => {
    expect(await refused(await zipOf({ 'a.md': Buffer.alloc(50_000_000) }))).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('more than 100 times its size'),
    })
  })

  it('is refused if it is damaged, or has nothing to bring', async () => {
    const archive = await zipOf({ 'a.md': 'Text' })
    expect(await refused(archive.subarray(0, archive.length - 30))).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('damaged'),
    })
    expect(await refused(await zipOf({ 'a.exe': 'Text' }))).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('No text'),
    })
    expect(await refused(Buffer.from('\u0000\u0001'), 'a.bin')).toMatchObject({ state: 'failed' })
    expect(await refused(await zipOf({ 'milepost.json': '{' }))).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('damaged'),
    })
    expect(await refused(await zipOf({ 'milepost.json': '{"format":99,"projects":[]}' }))).toMatchObject({
      problem: expect.stringContaining('newer Milepost'),
    })
  })

  it('names the paths that lead outside, and brings the rest', async () => {
    const planned = await refused(
      await zipOf({
        '../../up.md': 'x',
        '/etc/abs.md': 'x',
        'C:\\drive.md': 'x',
        'a\u0000b.md': 'x',
        'A.md': 'One',
        'a.md': 'Two',
      }),
    )
    expect(planned).toMatchObject({ state: 'planned', plan: { counts: { entries: 2 } } })
    expect(planned.plan?.problems.flatMap(({ paths }) => paths)).toEqual([
      '../../up.md',
      '/etc/abs.md',
      'C:/drive.md',
      'a\ufffdb.md',
    ])
  })

  it('comes as people and other programs write it', async () => {
    const ada = await t.person()
    const planned = await imports.plan(
      ada,
      'Log.zip',
      await zipOf({
        'log/.obsidian/app.json': '{}',
        'log/callout.md': '---\ndate: 2024-03-01\n---\n> [!info] Keel\n> is laid %%not yet%%',
        'log/colon.md': '---\ntitle: Hull: the keel\ndate: 2024-01-02\nauthor: @ada\n---\nx',
        'log/20240507 Sanding.md':
          'x ![](pictures\\saw.png) ![](pictures/my\\_saw.png) ![[hidden]] ![[gone.png|300]]',
        'log/pictures/saw.png': await picture(6, 4).png().toBuffer(),
        'log/pictures/my_saw.png': await picture(6, 4).png().toBuffer(),
        'log/no day.md': '---\ndate: 2024-13-45\ndraft: yes\n---\nx',
        'log/hidden.md': '---\ndate: 2024-02-29\npublished: "no"\n---\nx',
      }),
    )
    expect(planned.plan?.problems).toEqual([
      {
        reason: 'the archive does not have a file that it shows',
        count: 1,
        paths: ['log/20240507 Sanding.md: gone.png'],
      },
      { reason: 'its date cannot be read, and it gets that of its file', count: 1, paths: ['log/no day.md'] },
    ])
    await imports.start(ada, planned)
    await imports.work()
    const [project] = await projectsOf(ada)
    const entries = await entriesOf(ada, project?._id ?? '')
    expect(entries.find(({ title }) => title === 'callout')?.content).toBe(
      '> [!NOTE]\n> **Keel**  \n> is laid <!--not yet-->',
    )
    const brief = entries.map(({ title, happenedOn, state }) => [title, happenedOn, state])
    expect(brief).toEqual(
      expect.arrayContaining([
        ['Hull: the keel', '2024-01-02', 'published'],
        ['Sanding', '2024-05-07', 'published'],
        ['no day', expect.any(String), 'draft'],
        ['hidden', '2024-02-29', 'draft'],
      ]),
    )
  })

  it('has the title of a page once, although its text repeats it', async () => {
    const ada = await t.person()
    const page = (title: string, top: string) =>
      `<html><head><title>${title}</title></head><body>${top}<div class="content">Strips and ${title}</div></body></html>`
    const kept =
      '<div class="note"><div class="heading">Jan 2, 2026, 3:04:05 PM</div><div class="title">Glue</div>'
    const brought = await imports.bring(
      ada,
      'Takeout.zip',
      await zipOf({ 'Keep/Glue.html': page('Glue', kept), 'Keep/Oil.html': page('Oil', '<h1>Oil</h1>') }),
    )
    const [project] = brought.report?.projects ?? []
    const entries = await entriesOf(ada, project?._id ?? '')
    const contents = entries.map(({ title, content }) => [title, content.replaceAll(/\s+/g, ' ')])
    expect(Object.fromEntries(contents)).toEqual({
      Glue: 'Jan 2, 2026, 3:04:05 PM Strips and Glue',
      Oil: 'Strips and Oil',
    })
  })

  it('has its text kept where a front matter multiplies', async () => {
    const lines = Array.from(
      { length: 9 },
      (_, at) =>
        `a${at}: &a${at} [${
          at === 0
            ? 'x'
            : Array(9)
                .fill(`*a${at - 1}`)
                .join(',')
        }]`,
    )
    const planned = await refused(await zipOf({ 'a.md': `---\n${lines.join('\n')}\n---\nText` }))
    expect(planned).toMatchObject({
      state: 'planned',
      plan: { counts: { entries: 1 }, problems: [{ reason: expect.stringContaining('front matter') }] },
    })
  })
})

describe('pictures on websites', () => {
  const fetched: string[] = []
  const online = importer(t, undefined, async (address, to) => {
    fetched.push(address)
    if (address.includes('gone')) throw new Refused('its website does not give it (404)')
    await writeFile(to, await picture(6, 4).png().toBuffer())
    return 'keel.png'
  })
  const archive = () =>
    zipOf({
      'feed.xml':
        '<rss version="2.0"><channel><title>Boat</title><item><title>Keel</title><pubDate>Fri, 17 May 2024 10:00:00 GMT</pubDate><description>&lt;img src="https://boat.example/keel.png"&gt;&lt;img src="https://boat.example/gone.png"&gt;&lt;img src="https://boat.example/keel.png"&gt;</description></item></channel></rss>',
    })

  it('are copied if the person wants that, once each, and those that cannot be stay and are named', async () => {
    const ada = await t.person()
    const planned = await online.plan(ada, 'feed.zip', await archive())
    expect(planned.plan?.elsewhere).toBe(2)
    expect(fetched).toEqual([])
    await online.start(ada, planned, { pictures: 'copied' })
    await online.work()
    const { report } = await online.read(ada, planned)
    expect(fetched).toEqual(['https://boat.example/keel.png', 'https://boat.example/gone.png'])
    expect(report).toMatchObject({
      made: { entries: 1, files: 1 },
      problems: [
        { reason: 'its website does not give it (404)', paths: ['Keel: https://boat.example/gone.png'] },
      ],
    })
    const [project] = await projectsOf(ada)
    const [entry] = await entriesOf(ada, project?._id ?? '')
    expect(entry?.content.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')).toBe(
      '![](/files/ID)![](https://boat.example/gone.png)![](/files/ID)',
    )
    await online.undo(ada, planned)
    expect(await projectsOf(ada)).toEqual([])
  })

  it('that do not fit into their entry, or turn out to be none, keep no entry from coming', async () => {
    const fileSettings = {
      ...t.deps.fileSettings,
      fileLimits: { ...t.deps.fileSettings.fileLimits, perEntry: 1 },
    }
    const strict = importer({ ...t, deps: { ...t.deps, fileSettings } }, undefined, async (address, to) => {
      await writeFile(to, address.includes('lie') ? 'no picture' : await picture(6, 4).png().toBuffer())
      return 'keel.png'
    })
    const post = (title: string, more: object) => ({
      id: title,
      title,
      status: 'published',
      published_at: '2024-05-17T10:00:00.000Z',
      ...more,
    })
    const posts = [
      post('Long', { html: `<img src="https://x.example/a.png"><p>${'y'.repeat(199_955)}` }),
      post('Many', { html: '<img src="https://x.example/a.png"><img src="https://x.example/b.png">' }),
      post('Cover', { html: 'Text', feature_image: 'https://x.example/lie.png' }),
    ]
    const archive = await zipOf({ 'ghost.json': JSON.stringify({ db: [{ meta: {}, data: { posts } }] }) })
    const ada = await t.person()
    const { report } = await strict.bring(ada, 'ghost.zip', archive, { pictures: 'copied' })
    expect(report).toMatchObject({
      made: { entries: 3 },
      problems: [
        {
          reason: expect.stringContaining('no room'),
          paths: ['Long: https://x.example/a.png', 'Many: https://x.example/b.png'],
        },
        { reason: expect.stringContaining('no picture'), paths: ['Cover: https://x.example/lie.png'] },
      ],
    })
  })

  it('that could not be copied are named also if the import is interrupted', async () => {
    const ada = await t.person()
    const planned = await online.plan(ada, 'feed.zip', await archive())
    await online.start(ada, planned, { pictures: 'copied' })
    await online.work()
    await t.pool.query(`update imports set state = 'running' where id = $1`, [planned._id])
    fetched.length = 0
    await online.work()
    const { report } = await online.read(ada, planned)
    expect(fetched).toEqual([])
    expect(report?.problems).toEqual([
      {
        reason: 'it could not be copied, and the text still links to it',
        count: 1,
        paths: ['Keel: https://boat.example/gone.png'],
      },
    ])
  })

  it('are not waited for when the server stops', async () => {
    const stop = new AbortController()
    const asked: string[] = []
    const fetchPicture = async (address: string) => {
      asked.push(address)
      stop.abort()
      throw new Refused('its website does not give it (404)')
    }
    const ada = await t.person()
    const planned = await online.plan(ada, 'feed.zip', await archive())
    await online.start(ada, planned, { pictures: 'copied' })
    await importWork(t.deps, readHere, () => fetchPicture).run(stop.signal)
    expect(asked).toHaveLength(1)
    await online.work()
    expect(await online.read(ada, planned)).toMatchObject({ state: 'done', report: { made: { entries: 1 } } })
  })

  it('are not counted by a plan that was made before they could be copied', async () => {
    const ada = await t.person()
    const planned = await online.plan(ada, 'feed.zip', await archive())
    await t.pool.query(`update imports set plan = plan - 'elsewhere' where id = $1`, [planned._id])
    expect((await online.read(ada, planned)).plan?.elsewhere).toBe(0)
  })

  it('stay where they are otherwise', async () => {
    const ada = await t.person()
    fetched.length = 0
    const brought = await online.bring(ada, 'feed.zip', await archive())
    expect([fetched, brought.report?.problems.map(({ reason }) => reason)]).toEqual([
      [],
      ['a picture of it stays on the website where it is'],
    ])
  })
})
