import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { body, type Family, familyOf, idsIn, named, send } from './samples.ts'

let t: TestApp
let owner: Person
let own: Family
let other: Family
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  own = await familyOf(t, owner)
  other = await familyOf(t, owner)
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
  for (const family of [own, other]) {
    expect((await send(t, 'readEntry', family, owner)).status).toBe(200)
    const collaborators = await send(t, 'listCollaborators', family, owner)
    expect(collaborators.response.json()).toMatchObject([{ _id: family.collaboratorId, status: 'pending' }])
  }
})
