import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { sendForm } from '#server/testing/form.ts'

/** Two servers on one database. */
let t: TestApp
let other: FastifyInstance
beforeAll(async () => {
  t = await testApp({}, { pages: 'built' })
  other = await t.replica()
})
afterAll(async () => {
  await other.close()
  await t.close()
})

async function published() {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const milestone = await t.milestone(owner, projectId)
  const form = await sendForm(t.app, {
    url: `/api/milestones/${milestone._id}/entries`,
    as: owner,
    fields: { title: 'Boards', content: 'Text', tags: '[]' },
    image: { bytes: await picture(40, 30).png().toBuffer() },
  })
  const entry = form.json()
  const ofEntry = `/world/${projectId}/entries/${entry._id}`
  return {
    owner,
    projectId,
    milestoneId: milestone._id,
    entryId: entry._id,
    ofEntry: [
      ofEntry,
      `${ofEntry}/share.png`,
      entry.imageURL,
      `/api/projects/world/${projectId}/entries/${entry._id}`,
    ],
    ofProject: [
      `/world/${projectId}`,
      `/world/${projectId}/share.png`,
      `/world/${projectId}/story`,
      `/world/${projectId}/story/print`,
      `/world/${projectId}/feed.atom`,
      `/world/${projectId}/feed.rss`,
      `/world/${projectId}/feed.json`,
      `/api/projects/world/${projectId}`,
      `/api/projects/world/${projectId}/page`,
      `/api/projects/world/${projectId}/entries`,
      `/api/projects/${projectId}/story`,
    ],
  }
}

/** Reads all URLs from both servers, so that both cache them, and returns the ETags. */
async function readAll(urls: string[]): Promise<Map<string, string>> {
  const validators = new Map<string, string>()
  for (const app of [t.app, other]) {
    for (const url of urls) {
      const { statusCode, headers } = await app.inject({ url })
      expect([url, statusCode]).toEqual([url, 200])
      if (headers.etag) validators.set(url, headers.etag)
    }
  }
  return validators
}

async function expectGone(urls: string[], validators: Map<string, string>) {
  for (const url of urls) {
    const etag = validators.get(url)
    for (const headers of [{}, ...(etag ? [{ 'if-none-match': etag }] : [])]) {
      const answer = await other.inject({ url, headers })
      expect([url, answer.statusCode]).toEqual([url, 404])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  }
}

async function listed(id: string): Promise<boolean> {
  const parts = ['/sitemap-projects-1.xml', '/sitemap-entries-1.xml']
  const answers = await Promise.all(parts.map((url) => other.inject({ url })))
  return answers.some(({ body }) => body.includes(id))
}

describe('unpublished resources are gone immediately, from every server and every URL', () => {
  it('a project that is made private', async () => {
    const { owner, projectId, ofProject, ofEntry } = await published()
    const all = [...ofProject, ...ofEntry]
    const validators = await readAll(all)
    expect(validators.size).toBeGreaterThan(7)
    expect(await listed(projectId)).toBe(true)
    const body = { title: 'x', description: 'y', isPublic: false }
    await t.call('updateProject', { params: { projectId }, body }, { as: owner })
    await expectGone(all, validators)
    expect(await listed(projectId)).toBe(false)
  })

  it('a project that is deleted', { tags: ['long'] }, async () => {
    const { owner, projectId, ofProject, ofEntry } = await published()
    const all = [...ofProject, ...ofEntry]
    const validators = await readAll(all)
    await t.call('deleteProject', { params: { projectId } }, { as: owner })
    await expectGone(all, validators)
    expect(await listed(projectId)).toBe(false)
  })

  it('an entry that is deleted, while its project stays', { tags: ['long'] }, async () => {
    const { owner, milestoneId, entryId, ofProject, ofEntry } = await published()
    const validators = await readAll([...ofProject, ...ofEntry])
    await t.call('deleteEntry', { params: { milestoneId, entryId } }, { as: owner })
    await expectGone(ofEntry, validators)
    expect(await listed(entryId)).toBe(false)
    for (const url of ofProject) {
      const { statusCode, body } = await other.inject({ url })
      expect([url, statusCode, body.includes(entryId)]).toEqual([url, 200, false])
    }
  })
})
