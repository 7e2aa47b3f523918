import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { body, createResources, idsIn, named, type ResourceIds, send } from './samples.ts'

let t: TestApp
let owner: Person
let own: ResourceIds
let other: ResourceIds
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  own = await createResources(t, owner)
  other = await createResources(t, owner)
})
afterAll(() => t.close())

const nested = named
  .filter(([, call]) => idsIn(call).length > 1)
  .flatMap(([name, call]) => idsIn(call).map((id) => ({ name, call, id })))

it('there are calls with nested ids', () => {
  expect(nested.length).toBeGreaterThanOrEqual(14)
})

it.each(nested)(
  '$name returns 404 with the $id of another project, even if the caller owns both',
  async ({ name, call, id }) => {
    const payload = { ...body, email: 'somebody@example.test' }
    const crossed = { ...own, [id]: other[id] ?? '' }
    const { status } = await send(t, name, crossed, owner, call.body && payload)
    expect(status).toBe(404)
  },
)

it('no resource was changed', async () => {
  for (const ids of [own, other]) {
    expect((await send(t, 'readEntry', ids, owner)).status).toBe(200)
    const collaborators = await send(t, 'listCollaborators', ids, owner)
    expect(collaborators.response.json()).toMatchObject([{ _id: ids.collaboratorId, status: 'pending' }])
  }
})
