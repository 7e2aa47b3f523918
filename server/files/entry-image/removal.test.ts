import { afterAll, describe, expect, it, vi } from 'vitest'
import { fileSweeps, sweepImages } from '#server/files/sweep.ts'
import { startSchedule } from '#server/platform/schedule.ts'
import { sendForm } from '#server/testing/form.ts'
import { purged } from '#server/trash/testing.ts'
import { type Fixture, fields, imageFixture } from './testing.ts'

const { t, owner, png, illustrated, statusOf, imagesKept } = await imageFixture()
afterAll(() => t.close())

describe('the files of an image', () => {
  const things = {
    entry: ({ milestoneId, entry }: Fixture) => purged(t, owner, { milestoneId, entryId: entry._id }),
    milestone: ({ projectId, milestoneId }: Fixture) => purged(t, owner, { projectId, milestoneId }),
    project: ({ projectId }: Fixture) => purged(t, owner, { projectId }),
  }

  it.each(Object.entries(things))('go with the %s', async (_thing, remove) => {
    const before = await imagesKept()
    const fixture = await illustrated()
    expect(await imagesKept()).toBe(before + 1)
    await remove(fixture)
    expect(await statusOf(fixture.entry.imageURL)).toBe(404)
    expect(await imagesKept()).toBe(before)
    const { rows } = await t.pool.query('select from images where remove_after is not null')
    expect(rows).toEqual([])
  })

  it('are removed with the account', async () => {
    const before = await imagesKept()
    const leaver = await t.person()
    const { _id: milestoneId } = await t.milestone(leaver, (await t.project(leaver))._id)
    const url = `/api/milestones/${milestoneId}/entries`
    await sendForm(t.app, { url, as: leaver, fields, image: { bytes: png } })
    expect(await imagesKept()).toBe(before + 1)
    await t.deps.db.deleteFrom('users').where('id', '=', leaver.userId).execute()
    expect(await imagesKept()).toBe(before)
  })

  it('stay until they can be removed', async () => {
    const before = await imagesKept()
    const { milestoneId, entry } = await illustrated()
    await purged(t, owner, { milestoneId, entryId: entry._id })
    const broken = { ...t.deps.files, remove: () => Promise.reject(new Error('the store is away')) }
    await sweepImages({ ...t.deps, files: broken })
    expect((await t.kept()).length / 2).toBe(before + 1)
    await sweepImages(t.deps)
    expect((await t.kept()).length / 2).toBe(before + 1)
    await t.pool.query(`update images set remove_after = now() where remove_after is not null`)
    expect(await imagesKept()).toBe(before)
  })

  it('are removed shortly afterwards by a scheduled task', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stop = startSchedule(fileSweeps(t.deps), t.deps.log)
    const before = await imagesKept()
    const { milestoneId, entry } = await illustrated()
    await purged(t, owner, { milestoneId, entryId: entry._id })
    expect((await t.kept()).length / 2).toBe(before + 1)
    vi.advanceTimersByTime(15_000)
    await stop()
    expect((await t.kept()).length / 2).toBe(before)
    vi.useRealTimers()
  })

  it('of a save that a crash interrupted are removed after an hour', async () => {
    const before = await imagesKept()
    const id = '0b9f1f00-0000-4000-8000-0000000000aa'
    await t.pool.query(`insert into images values ($1, now() + interval '1 hour')`, [id])
    await t.deps.files.put(`images/aa/${id}-full.webp`, png, 'image/webp')
    await t.deps.files.put(`images/aa/${id}-small.webp`, png, 'image/webp')
    expect(await imagesKept()).toBe(before + 1)
    await t.pool.query(`update images set remove_after = remove_after - interval '1 hour' where id = $1`, [
      id,
    ])
    expect(await imagesKept()).toBe(before)
  })
})
