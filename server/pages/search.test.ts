import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  owner = await t.person({ name: 'Ada Lovelace' })
})
afterAll(() => t.close())

const get = (projectId: string, query: string) => t.app.inject({ url: `/world/${projectId}/search${query}` })

async function canoe(visibility: 'public' | 'private') {
  const { _id: projectId } = await t.project(owner, { title: 'Canoe', visibility })
  const { _id: milestoneId } = await t.milestone(owner, projectId, { title: 'Hull', description: 'Cedar' })
  await t.entry(owner, milestoneId, {
    title: 'Ribs',
    content: 'Cedar over the <b>étagère</b>',
    tags: ['wood'],
  })
  await t.entry(owner, milestoneId, { title: 'Unsent', content: 'Cedar that nobody reads', state: 'draft' })
  const { _id: gone } = await t.entry(owner, milestoneId, { title: 'Gone', content: 'Cedar once' })
  await t.call('deleteEntry', { params: { milestoneId, entryId: gone } }, { as: owner })
  return projectId
}

it('finds the milestones and published entries of a public project without scripts, and marks the words', async () => {
  const projectId = await canoe('public')
  await canoe('public')
  const { statusCode, headers, body } = await get(projectId, '?q=etag')
  expect(statusCode).toBe(200)
  expect(headers['x-robots-tag']).toBe('noindex')
  expect(body).toContain('1 result.')
  expect(body).toMatch(/<mark[^>]*>étag<\/mark>ère/)
  expect(body).toMatch(new RegExp(`href="/world/${projectId}/entries/`))
  const all = (await get(projectId, '?q=cedar')).body
  expect(all).toContain('2 results.')
  expect(all).toContain(`href="/world/${projectId}?milestone=`)
  for (const hidden of ['Unsent', 'Gone', 'nobody reads']) expect(all).not.toContain(hidden)
  expect((await get(projectId, '?q=tag:wood')).body).toContain('1 result.')
  expect((await get(projectId, '')).body).toMatch(/<form[^>]* action="\/world\/[^"]+\/search"/)
})

it('follows a change at once, and tells nothing about members or other projects', async () => {
  const projectId = await canoe('public')
  for (const filter of ['by:ada', 'by:me', 'in:Canoe', 'is:draft'])
    expect((await get(projectId, `?q=cedar%20${filter}`)).body).toContain(`No such filter: ${filter}`)
  await t.call('updateProject', { params: { projectId }, body: { visibility: 'private' } }, { as: owner })
  const hidden = await get(projectId, '?q=cedar')
  expect([hidden.statusCode, hidden.body.includes('Cedar')]).toEqual([404, false])
  const missing = await get('0199f1f0-0000-7000-8000-000000000000', '?q=cedar')
  expect(missing.body).toBe(hidden.body)
})

it('has one address for each search', async () => {
  const projectId = await canoe('public')
  const { statusCode, headers } = await get(projectId, '?page=1&q=+cedar+&from=mail')
  expect([statusCode, headers.location]).toEqual([301, `/world/${projectId}/search?q=cedar`])
})

it('says past its end that there is no more, never that nothing was found, and leads to the first page', async () => {
  const projectId = await canoe('public')
  const { body } = await get(projectId, '?q=cedar&page=9')
  expect(body).toContain('No more results.')
  expect(body).not.toContain('Nothing found')
  expect(body).toMatch(new RegExp(`href="/world/${projectId}/search\\?q=cedar"[^>]*>First page<`))
})
