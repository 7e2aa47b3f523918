import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { sweepFiles } from '#server/files/sweep.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { thinHistories } from './thinning.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The offset of the clock that saves use, in milliseconds. Sign-ins have no offset. */
let ahead = 0
const later = (milliseconds: number) => {
  ahead += milliseconds
}

let t: TestApp
let ada: Person
let grace: Person
let projectId: string
let milestoneId: string
beforeAll(async () => {
  t = await testApp({ clock: () => new Date(Date.now() + ahead) })
  ada = await t.person({ name: 'Ada' })
  projectId = (await t.project(ada))._id
  milestoneId = (await t.milestone(ada, projectId))._id
  grace = await t.member(projectId, 'editor')
})
afterAll(() => t.close())

const refOf = ({ milestone, _id: entryId }: Entry) => ({ milestoneId: milestone, entryId })
const save = (entry: Entry, body: object, as = ada) =>
  t.call('updateEntry', { params: refOf(entry), body }, { as })
const historyOf = async (entry: Entry, as = ada) =>
  (await t.call('listRevisions', { params: refOf(entry) }, { as })).revisions
const read = (entry: Entry, revisionId = '', as = ada) =>
  t.call('readRevision', { params: { ...refOf(entry), revisionId } }, { as })
const restore = (entry: Entry, revisionId = '', as = ada, headers: Record<string, string> = {}) =>
  t.call('restoreRevision', { params: { ...refOf(entry), revisionId } }, { as, headers })
const thin = (days = { historyDays: 30, historyDailyDays: 365 }) => thinHistories({ ...t.deps, ...days })
const titles = (revisions: { title: string }[]) => revisions.map(({ title }) => title)

describe('the history of an entry', () => {
  it('has a revision for each author’s saves, newest first, with author and time', async () => {
    const entry = await t.entry(ada, milestoneId, {
      title: 'One',
      content: 'Three short words',
      tags: ['wood'],
    })
    later(MINUTE_MS)
    await save(entry, { title: 'Two' }, grace)
    later(MINUTE_MS)
    const now = await save(entry, { title: 'Three', tags: ['glue'] })
    const history = await historyOf(entry, grace)
    expect(history).toMatchObject([
      { title: 'Three', version: 3, authors: [{ name: 'Ada' }], isCurrent: true, createdAt: now.updatedAt },
      { title: 'Two', version: 2, authors: [{ name: 'The editor' }], isCurrent: false, wordCount: 3 },
      { title: 'One', version: 1, authors: [{ name: 'Ada' }], cause: 'save', name: null, state: 'published' },
    ])
    expect(await read(entry, history[2]?._id, grace)).toMatchObject({
      content: 'Three short words',
      tags: ['wood'],
      html: expect.stringContaining('<p>Three short words</p>'),
      happenedOn: entry.happenedOn,
    })
  })

  it('has one listed revision for one author’s saves within ten minutes, and keeps the texts in between as merge bases', async () => {
    const entry = await t.entry(ada, milestoneId, { title: '0' })
    for (const title of ['4', '8']) {
      later(4 * MINUTE_MS)
      await save(entry, { title })
    }
    expect(titles(await historyOf(entry))).toEqual(['8'])
    // Ten minutes count from the first save: saving every four minutes makes a revision every twelve.
    for (const title of ['12', '16', '20', '24']) {
      later(4 * MINUTE_MS)
      await save(entry, { title })
    }
    expect(titles(await historyOf(entry))).toEqual(['24', '20', '8'])
    const base = await t.call('listRevisions', { params: refOf(entry), query: { version: 2 } }, { as: grace })
    expect(base).toMatchObject({ revisions: [{ title: '4', version: 2 }], next: null })
  })

  it('has no new revision for a save without changes, and finds the revision by either version', async () => {
    const entry = await t.entry(ada, milestoneId, { title: 'Stays' })
    const elsewhere = await t.milestone(ada, projectId)
    const moved = await save(entry, { milestone: elsewhere._id, title: 'Stays' }, grace)
    expect(await historyOf(moved)).toMatchObject([
      { version: 2, authors: [{ name: 'Ada' }], isCurrent: true },
    ])
    const ofVersion = async (version: number) =>
      (await t.call('listRevisions', { params: refOf(moved), query: { version } }, { as: ada })).revisions
    expect([await ofVersion(1), await ofVersion(2), await ofVersion(3)]).toMatchObject([
      [{ version: 2 }],
      [{ version: 2 }],
      [],
    ])
  })

  it('begins with the text and the author of an entry from before revisions existed', async () => {
    const entry = await t.entry(ada, milestoneId, { title: 'Old', content: 'of before' })
    await t.pool.query('delete from entry_revisions where entry_id = $1', [entry._id])
    await t.pool.query('update entries set author_id = null, author_name = $2 where id = $1', [
      entry._id,
      'Left',
    ])
    expect(await historyOf(entry)).toEqual([])
    await save(entry, { title: 'New' }, grace)
    const [now, before] = await historyOf(entry)
    expect([now, before]).toMatchObject([
      { title: 'New', version: 2, authors: [{ name: 'The editor' }] },
      { title: 'Old', version: 1, authors: [{ name: 'Left' }], createdAt: entry.updatedAt },
    ])
    expect(await read(entry, before?._id)).toMatchObject({ content: 'of before' })
  })

  it('names both authors of a merge, even if the account of one was deleted', async () => {
    const linus = await t.member(projectId, 'editor')
    await t.pool.query(`update users set name = 'Linus' where id = $1`, [linus.userId])
    const entry = await t.entry(ada, milestoneId, { title: 'One' })
    await save(entry, { title: 'Two' }, linus)
    await save(entry, { title: 'Both', merged: true }, grace)
    await save(entry, { title: 'All', merged: true })
    await t.pool.query(`update users set name = 'Countess' where id = $1`, [ada.userId])
    await t.pool.query('delete from users where id = $1', [linus.userId])
    const named = (await historyOf(entry)).map(({ authors, cause }) => [
      cause,
      ...authors.map(({ name }) => name),
    ])
    expect(named).toEqual([
      ['merge', 'Linus', 'The editor', 'Countess'],
      ['merge', 'Linus', 'The editor'],
      ['save', 'Linus'],
      ['save', 'Countess'],
    ])
    await t.pool.query(`update users set name = 'Ada' where id = $1`, [ada.userId])
  })
})

describe('restoring a revision', () => {
  it('restores the entry as a new revision, and keeps the replaced one', async () => {
    const before = {
      title: 'Then',
      content: 'as it **was**',
      tags: ['a'],
      happenedAt: '2026-03-01T11:30:00Z',
      happenedZone: 'Pacific/Auckland',
    }
    const entry = await t.entry(ada, milestoneId, before)
    const changed = await save(
      entry,
      {
        title: 'Now',
        content: 'as it is',
        tags: [],
        happenedAt: '2026-04-01T00:00:00Z',
        happenedZone: 'UTC',
      },
      grace,
    )
    const first = (await historyOf(entry)).at(-1)
    const stale = { params: { ...refOf(entry), revisionId: first?._id } }
    expect(
      await t.refused('restoreRevision', stale, { as: ada, headers: { 'if-match': '"1"' } }),
    ).toMatchObject({
      code: 'stale',
      current: { version: 2, title: 'Now' },
    })
    const restored = await restore(entry, first?._id, grace, { 'if-match': `"${changed.version}"` })
    expect(restored).toMatchObject({
      ...before,
      happenedAt: entry.happenedAt,
      happenedOn: '2026-03-02',
      version: 3,
    })
    expect(restored.html).toContain('<strong>was</strong>')
    // Even if somebody saves immediately afterwards, both the former and the restored text remain.
    await save(entry, { title: 'And on' }, grace)
    expect(await historyOf(entry)).toMatchObject([
      { title: 'And on', cause: 'save' },
      { title: 'Then', cause: 'restore', authors: [{ name: 'The editor' }] },
      { title: 'Now', cause: 'save' },
      { title: 'Then', cause: 'save', authors: [{ name: 'Ada' }] },
    ])
  })
})

describe('a name', () => {
  it('prevents a revision from being superseded or thinned out, until it is removed', async () => {
    const entry = await t.entry(ada, milestoneId, { title: 'Sent' })
    const [sent] = await historyOf(entry)
    const params = { ...refOf(entry), revisionId: sent?._id ?? '' }
    expect(
      await t.call('nameRevision', { params, body: { name: ' As sent ' } }, { as: grace }),
    ).toMatchObject({ name: 'As sent' })
    await save(entry, { title: 'Later' })
    expect(await historyOf(entry)).toMatchObject([{ title: 'Later' }, { title: 'Sent', name: 'As sent' }])
    expect(
      await t.refused('nameRevision', { params, body: { name: 'x'.repeat(101) } }, { as: ada }),
    ).toMatchObject({ code: 'invalid' })
    expect(await t.call('nameRevision', { params, body: { name: null } }, { as: ada })).toMatchObject({
      name: null,
    })
  })
})

describe('a revision that not everybody may see', () => {
  it('is hidden from everybody but the author if the entry was a draft at that time', async () => {
    const entry = await t.entry(ada, milestoneId, { title: 'Secret 1', state: 'draft' })
    await save(entry, { title: 'Secret 2' })
    expect(await t.refused('listRevisions', { params: refOf(entry) }, { as: grace })).toMatchObject({
      status: 404,
    })
    await save(entry, { title: 'Told', state: 'published' })
    later(11 * MINUTE_MS)
    await save(entry, { title: 'Told again' })
    expect(titles(await historyOf(entry, grace))).toEqual(['Told again', 'Told'])
    const own = await historyOf(entry)
    expect(titles(own)).toEqual(['Told again', 'Told', 'Secret 2'])
    const params = { ...refOf(entry), revisionId: own[2]?._id ?? '' }
    for (const [call, body] of [
      ['readRevision'],
      ['restoreRevision'],
      ['nameRevision', { name: 'x' }],
    ] as const)
      expect(await t.refused(call, { params, ...(body && { body }) }, { as: grace })).toMatchObject({
        status: 404,
      })
    const byVersion = { params: refOf(entry), query: { version: 1 } }
    expect(await t.call('listRevisions', byVersion, { as: grace })).toMatchObject({ revisions: [] })
    expect(await t.call('listRevisions', byVersion, { as: ada })).toMatchObject({
      revisions: [{ title: 'Secret 1' }],
    })
  })

  it('is deleted with the account of its author, while published texts stay', async () => {
    const linus = await t.member(projectId, 'editor')
    const entry = await t.entry(linus, milestoneId, { title: 'Secret', state: 'draft' })
    await save(entry, { state: 'published', title: 'Told' }, linus)
    await t.pool.query('delete from users where id = $1', [linus.userId])
    const { rows } = await t.pool.query('select title from entry_revisions where entry_id = $1', [entry._id])
    expect(rows).toEqual([{ title: 'Told' }])
  })

  it('is as absent as its entry: in the trash, or under another milestone', async () => {
    const entry = await t.entry(ada, milestoneId)
    const [revision] = await historyOf(entry)
    const elsewhere = (await t.milestone(ada, projectId))._id
    await t.pool.query(
      'update entries set deleted_at = now(), deletion_id = gen_random_uuid() where id = $1',
      [entry._id],
    )
    for (const ref of [refOf(entry), { ...refOf(entry), milestoneId: elsewhere }])
      for (const [call, params] of [
        ['listRevisions', ref],
        ['readRevision', { ...ref, revisionId: revision?._id }],
      ] as const)
        expect(await t.refused(call, { params }, { as: ada })).toMatchObject({ status: 404 })
  })
})

describe('the files of a revision', () => {
  it('are shown only to people who may edit, kept as long as the entry exists, and restored with the revision', async () => {
    const open = await t.project(ada, { isPublic: true })
    const milestoneId = (await t.milestone(ada, open._id))._id
    const editor = await t.member(open._id, 'editor')
    const viewer = await t.member(open._id, 'viewer')
    const file = await uploader(t).upload(ada, open._id, {
      bytes: await picture(1_000, 500).jpeg().toBuffer(),
    })
    const entry = await t.entry(ada, milestoneId, {
      content: `![Boards](${file.url})`,
      coverFile: file._id,
    })
    await save(entry, { content: 'No picture', coverFile: null })
    later(11 * MINUTE_MS)
    await save(entry, { content: 'Still none' })
    const statusOf = async (url = '') => (await t.app.inject(url.replaceAll('&amp;', '&'))).statusCode
    const params = { ...refOf(entry), revisionId: '' }
    params.revisionId =
      (await t.call('listRevisions', { params, query: { version: 1 } }, { as: editor })).revisions[0]?._id ??
      ''
    const { html } = await t.call('readRevision', { params }, { as: editor })
    const source = /<img src="(\/api\/media[^"]+)"/.exec(html)?.[1]
    expect(await statusOf(source)).toBe(200)
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(404)
    expect(await statusOf(t.deps.links.personal(file._id, 'widest', viewer.userId))).toBe(404)
    expect(await t.call('restoreRevision', { params }, { as: editor })).toMatchObject({ coverFile: file._id })
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(200)
    await save(entry, { content: 'Gone for good', coverFile: null })
    later(40 * DAY_MS)
    await save(entry, { content: 'And later' })
    const isUnused = async () =>
      (await t.pool.query('select unused_since from files where id = $1', [file._id])).rows[0]
        .unused_since !== null
    expect(await isUnused()).toBe(false)
    await t.pool.query(
      `update entry_revisions set created_at = created_at - interval '3 years' where entry_id = $1`,
      [entry._id],
    )
    await thin()
    expect(await isUnused()).toBe(true)
    await t.pool.query(`update files set unused_since = now() - interval '2 days' where id = $1`, [file._id])
    await sweepFiles(t.deps)
    expect((await t.pool.query('select 1 from files where id = $1', [file._id])).rows).toEqual([])
  })

  it('move with the entry to another project', async () => {
    const file = await uploader(t).upload(ada, projectId, { bytes: await picture(100, 50).jpeg().toBuffer() })
    const entry = await t.entry(ada, milestoneId, { content: `![Boards](${file.url})` })
    await save(entry, { content: 'None' })
    const other = await t.project(ada)
    const target = await t.milestone(ada, other._id)
    await save(entry, { milestone: target._id })
    const { rows } = await t.pool.query('select project_id from files where id = $1', [file._id])
    expect(rows).toEqual([{ project_id: other._id }])
  })
})

it('a form may declare a merge', async () => {
  const entry = await t.entry(ada, milestoneId)
  const url = `/api/milestones/${milestoneId}/entries/${entry._id}`
  const fields = { title: 'Both', merged: 'true' }
  expect((await sendForm(t.app, { method: 'PUT', url, as: grace, fields })).statusCode).toBe(200)
  expect((await historyOf(entry))[0]).toMatchObject({
    cause: 'merge',
    authors: [{ name: 'Ada' }, { name: 'The editor' }],
  })
})

it('keeps all counts correct', async () => {
  expect(await findInconsistencies(t.config)).toEqual([])
})
