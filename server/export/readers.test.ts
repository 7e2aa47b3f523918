import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { unzipped } from './testing.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
})
afterAll(() => t.close())
beforeEach(async () => {
  await sql`delete from call_limits`.execute(t.deps.db)
})

const offer = (as: Person, projectId: string, downloads = true) =>
  t.call('changeReaders', { params: { projectId }, body: { downloads } }, { as })

const download = (projectId: string, format: string, ip = '192.0.2.1') =>
  t.app.inject({ url: `/api/world/${projectId}/downloads/${format}`, remoteAddress: ip })

async function written(visibility: 'public' | 'unlisted' | 'private' = 'public') {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada, { title: 'Canoe', visibility })
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  await t.entry(ada, milestoneId, { title: 'Cedar strips', content: 'The first *strip*.' })
  await t.entry(ada, milestoneId, { title: 'Not yet', content: 'A secret', state: 'draft' })
  return { ada, projectId }
}

describe('what readers without an account download', () => {
  it.each(['public', 'unlisted'] as const)(
    'is a %s project as a book and as a website, without drafts, if its people offer it',
    async (visibility) => {
      const { ada, projectId } = await written(visibility)
      await offer(ada, projectId)
      const page = await t.app.inject(`/world/${projectId}`)
      for (const format of ['epub', 'site']) {
        const { statusCode, headers, rawPayload } = await download(projectId, format)
        expect([format, statusCode]).toEqual([format, 200])
        expect(headers).toMatchObject({
          'content-disposition': expect.stringMatching(/^attachment; filename="canoe/),
          'x-robots-tag': 'noindex',
          'cache-control': 'no-store',
        })
        const texts = [...(await unzipped(rawPayload))].map(([, bytes]) => bytes.toString()).join()
        expect(texts).toContain('Cedar strips')
        expect(texts).not.toMatch(/Not yet|A secret/)
        expect(page.body).toContain(`href="/api/world/${projectId}/downloads/${format}"`)
      }
    },
  )

  it('is nothing unless they offer it, nor of a private project, and nothing else than what is offered', async () => {
    const { ada, projectId } = await written()
    const absent = async (format: string) => (await download(projectId, format)).json()
    const missing = expect.objectContaining({ code: 'not_found', message: 'Project not found' })
    expect(await absent('epub')).toEqual(missing)
    expect((await t.app.inject(`/world/${projectId}`)).body).not.toContain('/downloads/')
    await offer(ada, projectId)
    for (const format of ['archive', 'markdown', 'pdf']) expect(await absent(format)).toEqual(missing)
    await t.call('updateProject', { params: { projectId }, body: { isPublic: false } }, { as: ada })
    for (const format of ['epub', 'site']) expect(await absent(format)).toEqual(missing)
    await t.call('updateProject', { params: { projectId }, body: { isPublic: true } }, { as: ada })
    expect((await download(projectId, 'epub')).statusCode).toBe(200)
    await offer(ada, projectId, false)
    expect(await absent('epub')).toEqual(missing)
  })

  it('is limited to ten an hour for a network, and others are not kept waiting', async () => {
    const { ada, projectId } = await written()
    await offer(ada, projectId)
    const statuses: number[] = []
    for (let number = 0; number < 11; number += 1)
      statuses.push((await download(projectId, 'epub')).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect((await download(projectId, 'epub', '198.51.100.1')).statusCode).toBe(200)
  })
})
