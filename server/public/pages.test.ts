import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORLD_ENTRIES_PER_PAGE } from '#contract/world.ts'
import { preparedName } from '#server/database/prepared.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { readWorldPage } from './service.ts'
import { findPublicVersions } from './store.ts'

const NONE = '0199f1f0-0000-7000-8000-000000000000'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp()
  owner = await t.person({ name: 'Grace Hopper' })
})
afterAll(() => t.close())

async function published(entries: number) {
  const project = await t.project(owner, { isPublic: true })
  const early = await t.milestone(owner, project._id, { title: 'Early', completed: true })
  const late = await t.milestone(owner, project._id, { title: 'Late' })
  const written: string[] = []
  for (let index = 0; index < entries; index += 1) {
    written.push((await t.entry(owner, early._id, { title: `Day ${index}` }))._id)
  }
  return { params: { projectId: project._id }, early, late, written }
}

const hide = (params: { projectId: string }) =>
  t.call('updateProject', { params, body: { title: 'x', description: 'y', isPublic: false } }, { as: owner })

describe('a page of the world', () => {
  it('shows the first milestone and the newest of its entries', async () => {
    const { params, early, late, written } = await published(WORLD_ENTRIES_PER_PAGE + 1)
    const page = await t.call('readWorldPage', { params })
    expect(page.project).toMatchObject({ progress: 50, user: { name: 'Grace Hopper' } })
    expect(page.milestones.map((stop) => [stop._id, stop.entryCount])).toEqual([
      [early._id, WORLD_ENTRIES_PER_PAGE + 1],
      [late._id, 0],
    ])
    expect(page.shown).toMatchObject({ _id: early._id, pagination: { totalPages: 2, hasNext: true } })
    expect(page.shown?.entries.map(({ _id }) => _id)).toEqual(written.toReversed().slice(0, -1))
  })

  it('shows another page and another milestone on request', async () => {
    const { params, early, late, written } = await published(WORLD_ENTRIES_PER_PAGE + 1)
    const shown = async (query: object) => (await t.call('readWorldPage', { params, query })).shown
    expect((await shown({ page: 2 }))?.entries.map(({ _id }) => _id)).toEqual(written.slice(0, 1))
    expect(await shown({ milestone: late._id })).toMatchObject({ _id: late._id, entries: [] })
    expect(await shown({ milestone: NONE })).toMatchObject({ _id: early._id })
  })

  it('shows the entries of a milestone from the oldest on, if asked to', async () => {
    const { params, written } = await published(WORLD_ENTRIES_PER_PAGE + 1)
    const shown = async (page: number) => {
      const { shown } = await t.call('readWorldPage', { params, query: { order: 'oldest', page } })
      return shown?.entries.map(({ _id }) => _id)
    }
    expect(await shown(1)).toEqual(written.slice(0, -1))
    expect(await shown(2)).toEqual(written.slice(-1))
  })

  it('names the beginning of the story, and the next milestone that has entries', async () => {
    const { params, early, late, written } = await published(2)
    const { _id: projectId } = await t.project(owner, { isPublic: true })
    const empty = await t.call('readWorldPage', { params: { projectId } })
    expect(empty).toMatchObject({ first: null, following: null, entryCount: 0 })
    await t.entry(owner, late._id, { title: 'Not yet', state: 'draft' })
    expect((await t.call('readWorldPage', { params })).following).toBeNull()
    await t.entry(owner, late._id, { title: 'Keel' })
    await t.entry(owner, late._id, { title: 'Ribs' })
    const page = await t.call('readWorldPage', { params })
    expect(page).toMatchObject({ first: { _id: written[0], title: 'Day 0' }, entryCount: 4 })
    expect(page.following).toMatchObject({ _id: late._id, entryCount: 2, first: { title: 'Keel' } })
    const query = { milestone: late._id }
    expect(await t.call('readWorldPage', { params, query })).toMatchObject({
      shown: { title: 'Late' },
      first: { _id: written[0] },
      following: null,
    })
    await t.call('deleteMilestone', { params: { ...params, milestoneId: early._id } }, { as: owner })
    expect((await t.call('readWorldPage', { params })).first).toMatchObject({ title: 'Keel' })
  })

  it('shows at most sixty milestones around the chosen one', async () => {
    const { _id: projectId } = await t.project(owner, { isPublic: true })
    const params = { projectId }
    await sql`
      insert into milestones (id, project_id, title, description, completed, created_at, updated_at)
      select gen_random_uuid(), ${projectId}, 'Step ' || n, 'x', n <= 150, now(), now() from generate_series(0, 1999) n`.execute(
      t.deps.db,
    )
    const all = await t.call('listMilestones', { params }, { as: owner })
    expect(all.map(({ title }) => title)).toEqual(Array.from({ length: 2_000 }, (_, n) => `Step ${n}`))
    const idOf = (place: number) => all[place]?._id ?? ''
    const read = async (milestone?: string) => {
      const { milestones, timeline, shown } = await t.call('readWorldPage', {
        params,
        query: milestone ? { milestone } : {},
      })
      const places = milestones.map(({ title }) => Number(title.slice('Step '.length)))
      expect(places).toEqual(Array.from({ length: 60 }, (_, index) => (places[0] ?? 0) + index))
      return { from: places[0], shown: shown?.title, ...timeline }
    }

    const first = await read()
    const firstLater = { milestone: idOf(90), count: 1_940 }
    expect(first).toMatchObject({ from: 0, shown: 'Step 0', total: 2_000, completed: 151, earlier: null })
    expect(first.later).toEqual(firstLater)
    expect(first.stops).toHaveLength(14)
    expect(first.stops[0]).toEqual({ milestone: idOf(0), title: 'Step 0', completed: true })
    expect(first.stops[1]).toEqual({ milestone: idOf(142), title: 'Step 142', completed: false })

    expect(await read(idOf(90))).toMatchObject({
      from: 60,
      shown: 'Step 90',
      later: { milestone: idOf(150) },
    })
    expect(await read(idOf(90))).toMatchObject({ earlier: { milestone: idOf(30), count: 60 } })
    expect(await read(idOf(30))).toMatchObject({ from: 0, shown: 'Step 30', earlier: null })
    expect(await read(idOf(1_999))).toMatchObject({ from: 1_940, later: null, earlier: { count: 1_940 } })
    expect(await read(NONE)).toMatchObject({ from: 0, shown: 'Step 0' })
  })

  it('is absent past the last page, even of a milestone or a project without entries', async () => {
    const { params, late } = await published(WORLD_ENTRIES_PER_PAGE)
    const { _id: projectId } = await t.project(owner, { isPublic: true })
    for (const [of, query] of [
      [params, { page: 2 }],
      [params, { milestone: late._id, page: 2 }],
      [{ projectId }, { page: 2 }],
    ] as const)
      expect(await t.refused('readWorldPage', { params: of, query })).toMatchObject({ status: 404 })
    expect((await t.call('readWorldPage', { params: { projectId } })).shown).toBeNull()
  })

  it('shows the entries of all milestones with a requested tag', async () => {
    const { params, early, late } = await published(1)
    for (const [milestone, title] of [
      [late, 'First strip'],
      [early, 'Second strip'],
    ] as const)
      await t.entry(owner, milestone._id, { title, tags: ['cedar'] })
    await t.entry(owner, early._id, { tags: ['cedar', 'secret'], state: 'draft' })
    const read = (query: object) => t.call('readWorldPage', { params, query })
    const { shown, tagged } = await read({ tag: 'cedar' })
    expect(shown).toBeNull()
    expect(tagged?.entries.map(({ title }) => title)).toEqual(['Second strip', 'First strip'])
    expect(tagged).toMatchObject({ tag: 'cedar', pagination: { totalItems: 2, totalPages: 1 } })
    expect(await read({ tag: 'secret' })).toMatchObject({ shown: { _id: early._id }, tagged: null })
    const pastTheEnd = { params, query: { tag: 'cedar', page: 2 } }
    expect(await t.refused('readWorldPage', pastTheEnd)).toMatchObject({ status: 404 })
  })

  it('is not found for a private project, whatever is asked of it', async () => {
    const { params, early } = await published(1)
    await t.entry(owner, early._id, { tags: ['cedar'] })
    await hide(params)
    for (const query of [{ page: 9 }, { tag: 'cedar' }, { tag: 'cedar', page: 2 }])
      expect(await t.refused('readWorldPage', { params, query })).toMatchObject({ code: 'not_found' })
  })

  it('is read by one statement', async () => {
    const { params } = await published(2)
    const texts: string[] = []
    const executeQuery: typeof t.deps.db.executeQuery = (query) => {
      if ('sql' in query) texts.push(query.sql)
      return t.deps.db.executeQuery(query)
    }
    const db = new Proxy(t.deps.db, {
      get: (db, name) => (name === 'executeQuery' ? executeQuery : Reflect.get(db, name)),
    })
    const page = await readWorldPage({ db, links: t.deps.links }, params.projectId, {
      page: 1,
      tag: undefined,
      order: 'oldest',
    })
    expect(page.shown?.entries).toHaveLength(2)
    expect(texts).toHaveLength(1)
    expect(preparedName(texts[0] ?? '')).toBeDefined()
  })

  it('contains the entry that happened last in any of the milestones', async () => {
    const { params, late } = await published(2)
    const { _id } = await t.entry(owner, late._id, { title: 'In the other milestone' })
    await t.entry(owner, late._id, { title: 'Not yet', state: 'draft' })
    expect((await t.call('readWorldPage', { params })).latest).toMatchObject({ _id })
    const { _id: projectId } = await t.project(owner, { isPublic: true })
    expect((await t.call('readWorldPage', { params: { projectId } })).latest).toBeNull()
  })

  it('contains the summary of a finished project', async () => {
    const { params, late } = await published(2)
    const finished = async () => (await t.call('readWorldPage', { params })).project.finished
    expect(await finished()).toBeUndefined()
    const { projectId } = params
    const reached = { params: { projectId, milestoneId: late._id }, body: { completed: true } }
    await t.call('updateMilestone', reached, { as: owner })
    expect(await finished()).toMatchObject({ days: 1, entries: 2, pictures: 0 })
    const { milestones } = await t.call('readWorldPage', { params })
    expect(milestones.at(-1)?.reachedAt).toMatch(/^20/)
  })

  it('contains no summary of another project that is finished', async () => {
    const other = await t.project(owner)
    await t.milestone(owner, other._id, { completed: true })
    const { params } = await published(1)
    expect((await t.call('readWorldPage', { params })).project.finished).toBeUndefined()
  })

  it('contains only the excerpts of entries', async () => {
    const { params, early } = await published(0)
    await t.entry(owner, early._id, { content: 'bread '.repeat(30_000) })
    const page = await t.call('readWorldPage', { params })
    expect(page.shown?.entries[0]?.excerpt).toMatch(/^(?:bread ){45}bread…$/)
  })

  it('reads no more of the database than it shows', async () => {
    const { params, early } = await published(1)
    await t.deps.db
      .insertInto('entries')
      .values(
        Array.from({ length: 1_000 }, (_, index) => ({
          id: `0199f1f0-0000-7000-8000-${early._id.slice(-7)}${String(index).padStart(5, '0')}`,
          milestone_id: early._id,
          title: `Day ${index}`,
          content: 'Text',
          tags: [],
          created_at: new Date(index * 1_000),
          updated_at: new Date(index * 1_000),
        })),
      )
      .execute()
    const page = await t.call('readWorldPage', { params, query: { page: 40 } })
    expect(page.shown?.pagination).toMatchObject({ totalItems: 1_001, totalPages: 84, currentPage: 40 })
    expect(page.shown?.entries).toHaveLength(WORLD_ENTRIES_PER_PAGE)
    expect(JSON.stringify(page).length).toBeLessThan(5_000)
  })
})

describe('an entry of the world', () => {
  it('continues in the next milestone that has entries', async () => {
    const { params, early, late, written } = await published(1)
    const { projectId } = params
    const between = await t.milestone(owner, projectId, { title: 'Nothing yet' })
    const last = await t.milestone(owner, projectId, { title: 'Last' })
    await t.entry(owner, between._id, { state: 'draft' })
    const entries = [
      { _id: written[0] ?? '', title: 'Day 0', in: early },
      { ...(await t.entry(owner, late._id, { title: 'Keel' })), in: late },
      { ...(await t.entry(owner, last._id, { title: 'Varnish' })), in: last },
    ]
    const besideAt = (at: number) => {
      const { _id, title, in: milestone } = entries[at] ?? {}
      return _id === undefined
        ? null
        : { _id, title, milestone: { _id: milestone?._id, title: milestone?.title } }
    }
    for (const [index, { _id: entryId }] of entries.entries()) {
      const { previous, next } = await t.call('readWorldEntry', { params: { projectId, entryId } })
      expect([previous, next]).toEqual([besideAt(index - 1), besideAt(index + 1)])
    }
  })

  it('is returned with its milestone and its neighbors', async () => {
    const { params, early, written } = await published(3)
    const read = (index: number) =>
      t.call('readWorldEntry', { params: { ...params, entryId: written[index] ?? '' } })
    const [oldest, middle, newest] = [await read(0), await read(1), await read(2)]
    expect(middle).toMatchObject({
      milestone: { _id: early._id, title: 'Early' },
      entry: { _id: written[1], content: 'They smell of **summer**.' },
      previous: { _id: written[0], title: 'Day 0' },
      next: { _id: written[2], title: 'Day 2' },
    })
    expect([oldest.previous, newest.next]).toEqual([null, null])
  })

  it('is absent under another project', async () => {
    const [here, elsewhere] = [await published(1), await published(1)]
    const params = { ...here.params, entryId: elsewhere.written[0] }
    expect(await t.refused('readWorldEntry', { params })).toMatchObject({ status: 404 })
  })
})

describe('the version of a public project', () => {
  const versionOf = (projectId: string) =>
    findPublicVersions(t.deps.db, [projectId]).then((found) => found.get(projectId) ?? null)

  it('is stable until something in the project or the name of its owner changes', async () => {
    const { params, early, written } = await published(1)
    const { projectId } = params
    const seen = [await versionOf(projectId)]
    expect(await versionOf(projectId)).toBe(seen[0])
    const body = { title: 'Changed', description: 'y', content: 'z' }
    const entry = { milestoneId: early._id, entryId: written[0] ?? '' }
    await t.call('updateEntry', { params: entry, body }, { as: owner })
    seen.push(await versionOf(projectId))
    await t.call('updateMilestone', { params: { projectId, milestoneId: early._id }, body }, { as: owner })
    seen.push(await versionOf(projectId))
    await t.call('deleteEntry', { params: entry }, { as: owner })
    seen.push(await versionOf(projectId))
    await t.deps.db.updateTable('users').set({ name: 'Ada' }).where('id', '=', owner.userId).execute()
    seen.push(await versionOf(projectId))
    expect(new Set(seen).size).toBe(seen.length)
    await t.deps.db
      .updateTable('users')
      .set({ name: 'Grace Hopper' })
      .where('id', '=', owner.userId)
      .execute()
  })

  // Public pages are cached under this version: cached pages do not change with a column of a person that it does not
  // cover.
  it('changes with every column of a person that public pages show', async () => {
    const { params, written } = await published(1)
    const entry = { ...params, entryId: written[0] ?? '' }
    const shown = async () =>
      JSON.stringify([
        await t.call('readWorldPage', { params, query: {} }),
        await t.call('readWorldEntry', { params: entry }),
        await t.call('listWorldEntries', { params }),
      ])
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'users' and data_type = 'text'`.execute(t.deps.db)
    /** Values for columns that reject the default one. */
    const values: { [column: string]: string } = { date_format: 'iso' }
    const seen: string[] = []
    for (const { name } of rows) {
      const before = { shown: await shown(), version: await versionOf(params.projectId) }
      const value = values[name] ?? 'https://example.org'
      await sql`update users set ${sql.ref(name)} = ${value} where id = ${owner.userId}`.execute(t.deps.db)
      if ((await shown()) === before.shown) continue
      seen.push(name)
      expect(await versionOf(params.projectId)).not.toBe(before.version)
    }
    expect(seen).toEqual(['name'])
  })

  it('is null for private resources', async () => {
    const { params } = await published(0)
    await hide(params)
    expect(await versionOf(params.projectId)).toBeNull()
    expect(await versionOf(NONE)).toBeNull()
  })
})
