import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Draft, DraftFields } from '#contract/drafts.ts'
import { DRAFTS_MAX } from '#contract/drafts.ts'
import { CONTENT_MAX } from '#contract/entries.ts'
import { sweepFiles } from '#server/files/sweep.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
let writer: Person
let target: { projectId: string; milestoneId: string }
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  const { _id: projectId } = await t.project(owner)
  target = { projectId, milestoneId: (await t.milestone(owner, projectId))._id }
  writer = await t.member(projectId, 'editor')
})
afterAll(() => t.close())

const text = { title: 'Ribs', content: 'Half a sentence', tags: ['wood'] }

type DraftParts = { as?: Person; id?: string; version?: number } & Partial<DraftFields>

const parts = ({ as = writer, id = uuidv7(), version, ...fields }: DraftParts) =>
  [
    { params: { draftId: id }, body: { ...text, milestone: target.milestoneId, ...fields } },
    { as, ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }) },
  ] as const

const keep = (fields: DraftParts = {}) => t.call('saveDraft', ...parts(fields))
const refusedToKeep = (fields: DraftParts = {}) => t.refused('saveDraft', ...parts(fields))
const read = (draftId: string, as = writer) => t.call('readDraft', { params: { draftId } }, { as })
const listed = async (as = writer, entry?: string) =>
  (await t.call('listDrafts', { query: entry ? { entry } : {} }, { as })).drafts
const missing = { status: 404, code: 'not_found', message: 'Draft not found' }

describe('an autosaved draft', () => {
  it('is stored as typed, with its milestone and day, and can be read on another device', async () => {
    const typed = {
      title: ' Ribs ',
      content: 'a\n\n  b  ',
      tags: ['x', 'x', ''],
      happenedAt: '2026-03-04T11:30:00Z',
      happenedZone: 'Pacific/Auckland',
    }
    const { _id: id, version, savedAt } = await keep(typed)
    expect(version).toBe(1)
    const { happenedAt: _at, happenedZone: _zone, ...words } = typed
    expect(await read(id)).toEqual({
      ...words,
      _id: id,
      entry: null,
      milestone: { _id: target.milestoneId, title: 'Lumber' },
      project: { _id: target.projectId, title: 'A canoe' },
      canEdit: true,
      target,
      happenedOn: '2026-03-05',
      coverFile: null,
      baseVersion: null,
      version: 1,
      savedAt,
    })
    t.later(1_000)
    const next = await keep({ id, version, content: '# a\n\n  **b**  c' })
    expect(next.version).toBe(2)
    expect(next.savedAt > savedAt).toBe(true)
    expect(await read(id)).toMatchObject({ content: '# a\n\n  **b**  c', happenedOn: null })
    expect((await listed())[0]).toMatchObject({ _id: id, title: 'Ribs', excerpt: 'a b c', version: 2 })
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
    expect(await t.refused('readDraft', { params: { draftId: id } }, { as: writer })).toEqual(missing)
  })

  it('may be empty or have a title that is too long, but not more content than an entry', async () => {
    const { _id: id } = await keep({ title: '', content: '', tags: [] })
    await keep({ id, version: 1, title: 'x'.repeat(1_000), content: 'é'.repeat(CONTENT_MAX) })
    expect(await refusedToKeep({ id, version: 2, content: 'x'.repeat(CONTENT_MAX + 1) })).toMatchObject({
      status: 400,
      message: 'Content must be at most 200,000 characters',
    })
    expect(await refusedToKeep({ id, version: 2, content: 'a\0b' })).toMatchObject({
      message: 'Content contains a character that cannot be stored',
    })
    expect((await read(id)).version).toBe(2)
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
  })

  it('belongs to its author: nobody else can read it or store another one under its id', async () => {
    const { _id: id } = await keep()
    for (const as of [owner, await t.person()]) {
      expect(await t.refused('readDraft', { params: { draftId: id } }, { as })).toEqual(missing)
      expect(await t.refused('discardDraft', { params: { draftId: id } }, { as })).toEqual(missing)
      for (const version of [undefined, 1]) expect(await refusedToKeep({ as, id, version })).toEqual(missing)
      expect(await listed(as)).toEqual([])
    }
    expect(await read(id)).toMatchObject({ ...text, version: 1 })
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
  })

  it('is never replaced by a device that has not read it, which gets the other text instead', async () => {
    const { _id: id } = await keep({ content: 'Mine' })
    await keep({ id, version: 1, content: 'Mine, on the phone' })
    for (const version of [1, undefined, 3]) {
      const error = await refusedToKeep({ id, version, content: 'Mine, on the desk' })
      expect(error).toMatchObject({ status: 412, code: 'stale' })
      expect(error.current).toMatchObject({ _id: id, content: 'Mine, on the phone', version: 2 })
    }
    const raced = await Promise.allSettled(
      [1, 2, 3].map((n) => keep({ id, version: 2, content: `Race ${n}` })),
    )
    expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await read(id)).version).toBe(3)
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
  })

  it('is not restored by a late request after it was discarded', async () => {
    const { _id: id } = await keep()
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
    expect(await refusedToKeep({ id, version: 1 })).toEqual(missing)
    expect(await listed()).toEqual([])
  })

  it('never has a version again that another device knows, if it is stored again after it was discarded', async () => {
    const { _id: id } = await keep({ content: 'Mine' })
    await keep({ id, version: 1, content: 'Mine, at the desk' })
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
    await keep({ id, content: 'Mine, at the desk', after: 2 })
    const { version } = await keep({ id, version: 3, content: 'Mine, on the phone' })
    expect(version).toBe(4)
    expect(await refusedToKeep({ id, version: 2 })).toMatchObject({ status: 412, code: 'stale' })
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
  })

  it('exists once per entry, regardless of the device on which it was started', async () => {
    const { _id: entry } = await t.entry(owner, target.milestoneId)
    const first = uuidv7()
    const both = await Promise.allSettled([
      keep({ id: first, entry, baseVersion: 1 }),
      keep({ entry, baseVersion: 1 }),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [only] = await listed(writer, entry)
    expect(only).toMatchObject({ entry: { _id: entry, title: 'First boards' }, canEdit: true })
    const error = await refusedToKeep({ entry, content: 'From elsewhere' })
    expect(error).toMatchObject({ status: 412, current: { _id: only?._id, content: text.content } })
    await keep({ as: owner, entry }) // another person has their own draft
    expect(await listed(writer, entry)).toHaveLength(1)
    await t.call('discardDraft', { params: { draftId: only?._id ?? '' } }, { as: writer })
  })

  it('contains the location of a moved entry if its author may see it', async () => {
    const { _id: entry } = await t.entry(owner, target.milestoneId)
    const { _id: id } = await keep({ entry, milestone: null, baseVersion: 1 })
    const near = await t.milestone(owner, target.projectId, { title: 'Glue' })
    const far = await t.milestone(owner, (await t.project(owner))._id)
    const move = (from: string, to: string) =>
      t.call(
        'updateEntry',
        { params: { milestoneId: from, entryId: entry }, body: { milestone: to } },
        { as: owner },
      )
    await move(target.milestoneId, near._id)
    expect(await listed(writer, entry)).toMatchObject([
      { entry: { _id: entry }, milestone: { _id: near._id, title: 'Glue' }, canEdit: true },
    ])
    expect(await read(id)).toMatchObject({ target: null })
    await move(near._id, far._id)
    expect(await listed(writer, entry)).toMatchObject([
      { entry: null, milestone: null, project: null, canEdit: false },
    ])
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
  })

  it('is refused with a clear message if there are too many', { tags: ['long'] }, async () => {
    const busy = await t.person()
    for (let n = 0; n < DRAFTS_MAX; n += 1) await keep({ as: busy })
    expect(await refusedToKeep({ as: busy })).toMatchObject({
      status: 409,
      message: 'You have 100 drafts already. Discard one that you no longer need.',
    })
    const [last] = await listed(busy)
    await keep({ as: busy, id: last?._id ?? '', version: 1, content: 'That one can go on' })
  })

  it('publishes an event to the other devices of its author, and to nobody else', async () => {
    const heard: AppEvent[] = []
    const unsubscribe = t.deps.events.subscribe({ onEvent: (event) => void heard.push(event), onGap() {} })
    const isOf = (person: Person) => (event: AppEvent) => 'drafts' in event && event.person === person.userId
    /** Waits for an event of somebody else: events arrive in order, so everything before has arrived then. */
    const allHeard = async () => {
      const other = await t.person()
      await keep({ as: other })
      await expect.poll(() => heard.filter(isOf(other)).length).toBe(1)
      return heard.splice(0).filter((event) => !isOf(other)(event))
    }
    await allHeard()
    const { _id: id } = await keep()
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
    const events = await allHeard()
    expect(events.length).toBeGreaterThan(0)
    expect(events.filter((event) => !isOf(writer)(event))).toEqual([])
    unsubscribe()
  })
})

describe('a draft whose entry or milestone was deleted', () => {
  it('remains available to its author, and reveals nothing that they may no longer see', async () => {
    const project = await t.project(owner, { title: 'Secret' })
    const { _id: milestone } = await t.milestone(owner, project._id)
    const member = await t.member(project._id, 'editor')
    const { _id: entry } = await t.entry(owner, milestone)
    const { _id: id } = await keep({ as: member, entry, milestone, baseVersion: 1 })
    const members = await t.call('listCollaborators', { params: { projectId: project._id } }, { as: owner })
    const collaboratorId = members.find(({ email }) => email === member.email)?._id ?? ''
    await t.call('removeCollaborator', { params: { projectId: project._id, collaboratorId } }, { as: owner })
    const nowhere = { entry: null, milestone: null, project: null, canEdit: false }
    expect(await read(id, member)).toMatchObject({ ...text, ...nowhere, target: null })
    expect(await listed(member)).toMatchObject([nowhere])
    await keep({ as: member, id, version: 1, entry, milestone, content: 'More' })
    expect(await read(id, member)).toMatchObject({ ...nowhere, content: 'More' })
    const elsewhere = await t.milestone(member, (await t.project(member))._id)
    await keep({ as: member, id, version: 2, milestone: elsewhere._id, content: 'More' })
    expect(await read(id, member)).toMatchObject({ milestone: { _id: elsewhere._id }, canEdit: true })
  })

  it('refers to nothing that its author may not see, without revealing whether it exists', async () => {
    const stranger = await t.person()
    const { _id: entry } = await t.entry(owner, target.milestoneId)
    const drafts: Draft[] = []
    for (const there of [
      { entry, milestone: target.milestoneId },
      { entry: uuidv7(), milestone: uuidv7() },
    ]) {
      const { _id: id } = await keep({ as: stranger, ...there })
      drafts.push(await read(id, stranger))
    }
    const [known, unknown] = drafts.map(({ _id, savedAt: _time, ...rest }) => rest)
    expect(known).toEqual(unknown)
    const { rows } = await t.pool.query(
      'select distinct entry_id, milestone_id from entry_drafts where writer_id = $1',
      [stranger.userId],
    )
    expect(rows).toEqual([{ entry_id: null, milestone_id: null }])
  })

  it('survives the deletion of its entry, its milestone and its project', async () => {
    const { _id: project } = await t.project(owner)
    const { _id: milestone } = await t.milestone(owner, project)
    const { _id: entry } = await t.entry(owner, milestone)
    const { _id: id } = await keep({ as: owner, entry, milestone, baseVersion: 1 })
    await t.call('deleteEntry', { params: { milestoneId: milestone, entryId: entry } }, { as: owner })
    expect(await read(id, owner)).toMatchObject({ ...text, entry: null, canEdit: true })
    await t.call('deleteProject', { params: { projectId: project } }, { as: owner })
    expect(await read(id, owner)).toMatchObject({ ...text, project: null, canEdit: false })
  })
})

describe('a save', () => {
  it('deletes its draft in the same transaction, for a new entry and for an update', async () => {
    const params = { milestoneId: target.milestoneId }
    const { _id: first } = await keep()
    const body = { title: 'Ribs', content: 'A sentence', draft: first }
    const { _id: entryId } = await t.call('createEntry', { params, body }, { as: writer })
    expect(await listed()).toEqual([])
    const { _id: second } = await keep({ entry: entryId, baseVersion: 1 })
    const change = { params: { ...params, entryId }, body: { content: 'More', draft: second } }
    const stale = { as: writer, headers: { 'if-match': '"7"' } }
    expect(await t.refused('updateEntry', change, stale)).toMatchObject({ status: 412 })
    expect(await listed()).toHaveLength(1) // the draft remains because the save failed
    await t.call('updateEntry', change, { as: writer })
    expect(await listed()).toEqual([])
    expect(await refusedToKeep({ id: second, version: 1, content: 'Late' })).toEqual(missing)
  })

  it('does not delete anybody else’s draft', async () => {
    const { _id: id } = await keep()
    const body = { title: 'Theirs', content: 'x', draft: id }
    await t.call('createEntry', { params: { milestoneId: target.milestoneId }, body }, { as: owner })
    expect(await read(id)).toMatchObject(text)
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
  })
})

describe('the files of a draft', () => {
  const pass = (hours: number) =>
    t.pool.query(
      `update files set unused_since = unused_since - make_interval(hours => $1) where unused_since is not null`,
      [hours],
    )
  const isThere = async (id: string) =>
    (await t.pool.query('select from files where id = $1', [id])).rows.length === 1

  it('are kept as long as the draft exists, and removed a day later', async () => {
    const { upload } = uploader(t)
    const bytes = await picture(20, 20).png().toBuffer()
    const file = await upload(writer, target.projectId, { bytes })
    const cover = await upload(writer, target.projectId, { bytes })
    const content = `![](/files/${file._id}) and again /FILES/x /files/${file._id.toUpperCase()}`
    const { _id: id } = await keep({ content, coverFile: cover._id })
    await pass(25)
    await sweepFiles(t.deps)
    expect(await Promise.all([isThere(file._id), isThere(cover._id)])).toEqual([true, true])
    await keep({ id, version: 1, content })
    await pass(25)
    await sweepFiles(t.deps)
    expect(await Promise.all([isThere(file._id), isThere(cover._id)])).toEqual([true, false])
    await t.call('discardDraft', { params: { draftId: id } }, { as: writer })
    await pass(23)
    await sweepFiles(t.deps)
    expect(await isThere(file._id)).toBe(true)
    await pass(2)
    await sweepFiles(t.deps)
    expect(await isThere(file._id)).toBe(false)
  })

  it('are used by the entry that it becomes, even in a different project from that of the upload', async () => {
    const { upload } = uploader(t)
    const bytes = await picture(20, 20).png().toBuffer()
    const file = await upload(writer, target.projectId, { bytes })
    const content = `![](/files/${file._id})`
    const { _id: draft } = await keep({ content })
    const { _id: other } = await t.project(writer)
    const { _id: milestoneId } = await t.milestone(writer, other)
    const body = { title: 'x', content, draft }
    const saved = await t.call('createEntry', { params: { milestoneId }, body }, { as: writer })
    expect(saved.html).toContain('<img')
    const { rows } = await t.pool.query('select project_id, unused_since from files where id = $1', [
      file._id,
    ])
    expect(rows).toEqual([{ project_id: other, unused_since: null }])
  })

  it('never include files of others, which a draft cannot keep from removal', async () => {
    const { upload } = uploader(t)
    const file = await upload(owner, target.projectId, { bytes: await picture(20, 20).png().toBuffer() })
    await keep({ content: `![](/files/${file._id})`, coverFile: file._id })
    await pass(25)
    await sweepFiles(t.deps)
    expect(await isThere(file._id)).toBe(false)
  })
})
