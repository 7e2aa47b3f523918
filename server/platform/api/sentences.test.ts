import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/parts/call.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await testApp()
  person = await t.person()
})
afterAll(() => t.close())

/** The terms of the library, which say nothing to a person. */
const TERMS = /^(?:Invalid (?:input|option|string|UUID|ISO|key)|Too |Unrecognized)|expected|received|=/

const VALUES = [
  1,
  1.5,
  -1,
  1e99,
  'x',
  '',
  null,
  [],
  {},
  true,
  [1],
  [{}],
  'x'.repeat(300_000),
  Array(2_000).fill('x'),
]

function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodPipe)
    return [schema.in, schema.out].flatMap((part) => fieldsOf(part as z.ZodType))
  return []
}

describe('a refused value', () => {
  it('is explained by a sentence, in every field of every call', () => {
    const odd = Object.entries(calls as { [name: string]: Call }).flatMap(([name, { query, body }]) =>
      [query, body].flatMap((schema) => {
        if (!schema) return []
        const inputs = [
          {},
          ...fieldsOf(schema).flatMap((field) => VALUES.map((value) => ({ [field]: value }))),
        ]
        const issues = inputs.flatMap((input) => schema.safeParse(input).error?.issues ?? [])
        return issues
          .filter(({ message }) => TERMS.test(message))
          .map(({ path, message }) => `${name} ${path.join('.')}: ${message}`)
      }),
    )
    expect(new Set(odd)).toEqual(new Set())
  })

  it.each([
    ['/api/calendar', 'from is required'],
    ['/api/calendar?from=2026-02-30&to=2026-03-01', 'from must be a day, as in 2026-03-04'],
    ['/api/calendar?from=2026-02-03&to=2026-03-01&project=1', 'project must be an id'],
    ['/api/calendar?from=2026-02-03&from=2026-02-04&to=2026-03-01', 'from must be a text'],
  ])('of %s: %s', async (url, message) => {
    const response = await t.app.inject({ url, headers: person.headers })
    expect([response.statusCode, response.json().message]).toEqual([400, message])
  })
})
