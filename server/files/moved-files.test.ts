import { afterAll, describe, expect, it, vi } from 'vitest'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { purged } from '#server/trash/testing.ts'
import { sweepFiles } from './sweep.ts'
import { picture } from './testing.ts'
import { fileFixture, shown, sourceIn } from './testing-uploads.ts'

const { t, owner, files, jpeg, newMilestone, read, statusOf, usesOf, projectOf } = await fileFixture()
afterAll(() => t.close())

describe('a file that was uploaded before its text moved to another project', () => {
  it('belongs to the project of the saved text', async () => {
    const [first, chosen] = [await newMilestone(), await newMilestone({ isPublic: true })]
    const file = await files.upload(owner, first.projectId, { bytes: jpeg })
    const listed = { params: { projectId: chosen.projectId }, query: { ids: file._id } }
    expect(await t.call('listFiles', listed, { as: owner })).toMatchObject([{ _id: file._id }])
    const { html } = await t.entry(owner, chosen.milestoneId, { content: shown(file) })
    expect(await statusOf(sourceIn(html))).toBe(200)
    expect(await projectOf(file)).toBe(chosen.projectId)
    expect(await findInconsistencies(t.config)).toEqual([])
  })

  it('is deleted with the first project', async () => {
    const [first, chosen] = [await newMilestone(), await newMilestone()]
    const file = await files.upload(owner, first.projectId, { bytes: jpeg })
    await purged(t, owner, { projectId: first.projectId })
    const { html } = await t.entry(owner, chosen.milestoneId, { content: shown(file) })
    expect(html).toContain('file-missing')
    expect(await usesOf(file)).toEqual([])
  })

  it.each([
    ['that project', 'select from projects where id = $1 for update'],
    [
      'its owner’s projects',
      'select from storage_usage where user_id = (select owner_id from projects where id = $1) for update',
    ],
  ])('is shown without waiting for a transaction that changes %s', async (_what, lock) => {
    const first = await newMilestone()
    const writer = await t.member(first.projectId, 'editor')
    const chosen = await newMilestone({ as: writer })
    const file = await files.upload(writer, first.projectId, { bytes: jpeg })
    const client = await t.pool.connect()
    try {
      await client.query('begin')
      await client.query(lock, [first.projectId])
      const { html } = await t.entry(writer, chosen.milestoneId, { content: shown(file) })
      expect(await statusOf(sourceIn(html))).toBe(200)
    } finally {
      await client.query('rollback')
      client.release()
    }
    expect(await projectOf(file)).toBe(first.projectId)
    expect(await findInconsistencies(t.config)).toEqual([])
  })

  it('moves with an entry that is changed and moved in one update, even if its bytes arrive last', async () => {
    const [from, to] = [await newMilestone(), await newMilestone()]
    const entry = await t.entry(owner, from.milestoneId)
    const [waiting] = await files.reserve(owner, from.projectId, [{ name: 'a.jpg', size: jpeg.length }])
    if (!waiting) throw new Error('no file')
    const params = { milestoneId: from.milestoneId, entryId: entry._id }
    const body = { milestone: to.milestoneId, content: shown(waiting) }
    const { html } = await t.call('updateEntry', { params, body }, { as: owner })
    expect(html).toContain(`data-file="${waiting._id}"`)
    expect((await files.put(owner, waiting._id, jpeg)).statusCode).toBe(200)
    expect(await projectOf(waiting)).toBe(to.projectId)
    expect(await findInconsistencies(t.config)).toEqual([])
  })

  it('is stored with the project that the entry was moved to while its bytes were arriving', async () => {
    const [from, to] = [await newMilestone(), await newMilestone()]
    const [file] = await files.reserve(owner, from.projectId, [{ name: 'a.jpg', size: jpeg.length }])
    if (!file) throw new Error('no file')
    const entry = await t.entry(owner, from.milestoneId, { content: shown(file) })
    const putFile = t.deps.files.putFile.bind(t.deps.files)
    const moving = vi.spyOn(t.deps.files, 'putFile').mockImplementationOnce(async (...sent) => {
      const params = { milestoneId: from.milestoneId, entryId: entry._id }
      await t.call('updateEntry', { params, body: { milestone: to.milestoneId } }, { as: owner })
      await purged(t, owner, { projectId: from.projectId })
      return putFile(...sent)
    })
    expect((await files.put(owner, file._id, jpeg)).statusCode).toBe(200)
    expect(moving).toHaveBeenCalled()
    moving.mockRestore()
    expect((await read(to.milestoneId, entry._id, owner)).html).toContain('<img src=')
    expect(await findInconsistencies(t.config)).toEqual([])
  })
})

describe('an entry that an editor moves to a project of their own', () => {
  /** A project with an editor, who has a public one, and an entry of the owner that shows a file. */
  async function shared() {
    const from = await newMilestone()
    const editor = await t.member(from.projectId, 'editor')
    const to = await newMilestone({ as: editor, isPublic: true })
    const file = await files.upload(owner, from.projectId, { bytes: await picture(31, 20).png().toBuffer() })
    const entry = await t.entry(owner, from.milestoneId, { content: `Look\n\n${shown(file)}` })
    const params = { milestoneId: from.milestoneId, entryId: entry._id }
    return { from, to, editor, file, params }
  }

  it('takes along its files, which then count for the editor', async () => {
    const { to, editor, file, params } = await shared()
    await t.call('updateEntry', { params, body: { milestone: to.milestoneId } }, { as: editor })
    expect(await projectOf(file)).toBe(to.projectId)
    expect(await findInconsistencies(t.config)).toEqual([])
  })

  it('stays if a file has to stay, which would be public there while it counts for the owner', async () => {
    const { from, to, editor, file, params } = await shared()
    await t.entry(owner, from.milestoneId, { content: shown(file) })
    const refusal = await t.refused(
      'updateEntry',
      { params, body: { milestone: to.milestoneId } },
      { as: editor },
    )
    expect(refusal).toMatchObject({
      status: 400,
      issues: [
        { path: 'milestone', message: expect.stringContaining('counts for the owner of that project') },
      ],
    })
    expect(await projectOf(file)).toBe(from.projectId)
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(404)
    const body = { milestone: to.milestoneId, content: 'Without it' }
    await t.call('updateEntry', { params, body }, { as: editor })
    expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(404)
  })

  it('stays if its cover is that of the project too', async () => {
    const { from, to, editor, file, params } = await shared()
    const cover = { params: { projectId: from.projectId }, body: { coverFile: file._id } }
    await t.call('updateProject', cover, { as: owner })
    const moving = { params, body: { milestone: to.milestoneId } }
    expect(await t.refused('updateEntry', moving, { as: editor })).toMatchObject({ status: 400 })
  })
})

describe('an entry that is moved to another project', () => {
  it('takes its own files along, including their bytes, and still shows files that others use', async () => {
    const [from, to] = [await newMilestone(), await newMilestone({ isPublic: true })]
    const own = await files.upload(owner, from.projectId, { bytes: jpeg })
    const shared = await files.upload(owner, from.projectId, {
      bytes: await picture(300, 200).png().toBuffer(),
    })
    await t.entry(owner, from.milestoneId, { content: shown(shared) })
    const entry = await t.entry(owner, from.milestoneId, { content: `${shown(own)}\n\n${shown(shared)}` })
    const params = { milestoneId: from.milestoneId, entryId: entry._id }
    const body = { milestone: to.milestoneId }
    await t.call('updateEntry', { params, body }, { as: owner })
    expect([await projectOf(own), await projectOf(shared)]).toEqual([to.projectId, from.projectId])
    for (const file of [own, shared]) expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(200)
    const moved = { milestoneId: to.milestoneId, entryId: entry._id }
    const change = { content: `Again ${entry.content}` }
    const { html } = await t.call('updateEntry', { params: moved, body: change }, { as: owner })
    expect(html.match(/<img src=/g)).toHaveLength(2)
    await purged(t, owner, { projectId: from.projectId })
    await sweepFiles(t.deps)
    for (const file of [own, shared]) expect(await statusOf(`/api/media/${file._id}/widest`)).toBe(200)
    expect(await projectOf(shared)).toBe(to.projectId)
  })
})

describe('a milestone that moves to another project', () => {
  it('takes along the files of its entries, and stays if one has to stay that counts for another owner', async () => {
    const from = await newMilestone()
    const editor = await t.member(from.projectId, 'editor')
    const to = await newMilestone({ as: editor })
    const [file, shared] = [
      await files.upload(owner, from.projectId, { bytes: await picture(21, 20).png().toBuffer() }),
      await files.upload(owner, from.projectId, { bytes: await picture(22, 20).png().toBuffer() }),
    ]
    const content = `${shown(file)}\n\n${shown(shared)}`
    await t.entry(owner, from.milestoneId, { content })
    await t.entry(owner, from.milestoneId, { content: shown(shared) })
    const elsewhere = await t.milestone(owner, from.projectId)
    const other = await t.entry(owner, elsewhere._id, { content: shown(shared) })
    const params = { milestoneId: from.milestoneId }
    const place = { params, body: { project: to.projectId } }
    expect(await t.refused('moveMilestone', place, { as: editor })).toMatchObject({
      status: 400,
      issues: [{ path: 'project', message: expect.stringContaining('counts for the owner of that project') }],
    })
    await purged(t, owner, { milestoneId: elsewhere._id, entryId: other._id })
    await t.call('moveMilestone', place, { as: editor })
    expect([await projectOf(file), await projectOf(shared)]).toEqual([to.projectId, to.projectId])
    expect(await findInconsistencies(t.config)).toEqual([])
  })
})
