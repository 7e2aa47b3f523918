import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

let t: TestApp
let owner: Person
let ids: { projectId: string; milestoneId: string; entryId: string }
/** Ids that name nothing which the caller may refer to. */
let unknown: [what: string, id: string][]
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  const mine = await journalOf(owner)
  const other = await t.person()
  const others = await journalOf(other)
  ids = mine
  unknown = [
    ['of nothing', '3f0b9f1f-0000-4000-8000-000000000000'],
    ['of nothing, in capitals', '3F0B9F1F-0000-4000-8000-00000000000A'],
    ['that is nil', '00000000-0000-0000-0000-000000000000'],
    ['that is the highest', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['of a person', owner.userId],
    ['of an entry of another person', others.entryId],
    ['of a milestone of another person', others.milestoneId],
    ['of a project of another person', others.projectId],
  ]
})
afterAll(() => t.close())

async function journalOf(person: Person) {
  const project = await t.project(person)
  const milestone = await t.milestone(person, project._id)
  const entry = await t.entry(person, milestone._id)
  return { projectId: project._id, milestoneId: milestone._id, entryId: entry._id }
}

const text = { title: 'A title', content: 'A text' }

/** Sends a body in JSON, and returns the status and the code of the response. */
async function send(method: 'POST' | 'PUT', url: string, payload: object) {
  const response = await t.app.inject({ method, url, headers: owner.headers, payload })
  return { status: response.statusCode, body: response.json() }
}

async function sendFields(method: 'POST' | 'PUT', url: string, fields: Record<string, string>) {
  const response = await sendForm(t.app, { method, url, as: owner, fields })
  return { status: response.statusCode, body: response.json() }
}

const entries = () => `/api/milestones/${ids.milestoneId}/entries`

describe('an id in a body that names nothing', () => {
  it('as a cover is refused with a sentence, of a project and of an entry, in JSON and in a form', async () => {
    for (const [what, coverFile] of unknown)
      for (const { status, body } of [
        await send('PUT', `/api/projects/${ids.projectId}`, { coverFile }),
        await send('POST', entries(), { ...text, coverFile }),
        await send('POST', entries(), { ...text, coverFile, state: 'draft' }),
        await send('PUT', `${entries()}/${ids.entryId}`, { coverFile }),
        await send('PUT', `${entries()}/${ids.entryId}`, { ...text, coverFile }),
        await sendFields('POST', entries(), { ...text, tags: '[]', coverFile }),
        await sendFields('PUT', `${entries()}/${ids.entryId}`, { ...text, tags: '[]', coverFile }),
      ]) {
        expect([what, status, body.code]).toEqual([what, 400, 'invalid'])
        expect(body.issues).toEqual([
          { path: 'coverFile', message: 'The cover must be a picture of this project' },
        ])
      }
  })

  it('as a milestone to move to is not found', async () => {
    for (const [what, milestone] of unknown) {
      const { status, body } = await send('PUT', `${entries()}/${ids.entryId}`, { ...text, milestone })
      expect([what, status, body.code]).toEqual([what, 404, 'not_found'])
    }
  })

  it('as a draft that a text ends is ignored', async () => {
    for (const [what, draft] of unknown) {
      expect([what, (await send('POST', entries(), { ...text, draft })).status]).toEqual([what, 201])
      const changed = await send('PUT', `${entries()}/${ids.entryId}`, { ...text, draft })
      expect([what, changed.status]).toEqual([what, 200])
    }
  })

  it('in an autosaved draft does not lose the draft', async () => {
    for (const [what, id] of unknown)
      for (const field of ['entry', 'milestone', 'coverFile']) {
        const url = `/api/drafts/${crypto.randomUUID()}`
        const { status } = await send('PUT', url, { ...text, tags: [], [field]: id })
        expect([what, field, status]).toEqual([what, field, 200])
      }
  })

  it('as a project of an access token, or the next owner of a project, is refused', async () => {
    for (const [what, id] of unknown) {
      const token = { name: 'Nightly', scopes: ['read'], projects: [id], days: 30 }
      const made = await send('POST', '/api/account/tokens', token)
      const given = await send('PUT', `/api/projects/${ids.projectId}/owner`, { collaborator: id })
      for (const { status } of [made, given]) {
        expect([what, status]).not.toEqual([what, 500])
        expect(status).toBeGreaterThanOrEqual(400)
      }
    }
  })

  it('in a query finds nothing', async () => {
    for (const [what, id] of unknown)
      for (const url of [
        `/api/projects/${ids.projectId}/files?ids=${id}`,
        `/api/projects/${ids.projectId}/activity?before=${id}`,
        `/api/projects/world/${ids.projectId}?milestone=${id}`,
        `/api/drafts?entry=${id}`,
      ]) {
        const { statusCode } = await t.app.inject({ url, headers: owner.headers })
        expect([what, url, statusCode < 500]).toEqual([what, url, true])
      }
  })
})
