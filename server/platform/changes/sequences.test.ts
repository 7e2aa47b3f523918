import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { runs } from '#testing/runs.ts'

let t: TestApp
let owner: Person
let milestoneId: string
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  milestoneId = (await t.milestone(owner, (await t.project(owner))._id))._id
})
afterAll(() => t.close())

/** What the server should know of an entry: a simple list of what was done to it. */
type Entry = {
  title: string
  version: number
  changes: string[]
  deletion: string | null
  restored: Set<string>
}

type Request = {
  kind: 'create' | 'update' | 'delete' | 'restore'
  id: string
  key: string
  title: string
  /** The version on which an update is based. */
  base: number
}

const remember = (entry: Entry, key: string) => {
  const [first, ...others] = [...entry.changes, key]
  entry.changes = first === undefined ? [] : [first, ...others.slice(-8)]
}

/** Applies a request to the model, and returns the response that it should get. */
function expected(model: Map<string, Entry>, { kind, id, key, title, base }: Request): unknown[] {
  const entry = model.get(id)
  if (kind === 'create') {
    if (entry?.deletion) return [409, 'id_taken']
    if (entry) return [200, entry.title, entry.version, String(entry.changes[0] === key)]
    model.set(id, { title, version: 1, changes: [key], deletion: null, restored: new Set() })
    return [201, title, 1, undefined]
  }
  if (!entry) return [404, 'not_found']
  if (kind === 'restore') {
    if (entry.deletion === key) {
      entry.deletion = null
      entry.restored.add(key)
    }
    return entry.restored.has(key) ? [200] : [404, 'not_found']
  }
  if (kind === 'delete') {
    if (entry.deletion) return entry.deletion === key ? [204] : [404, 'not_found']
    if (entry.changes.includes(key)) return [204]
    if (entry.restored.has(key)) return [409, 'id_taken']
    entry.deletion = key
    remember(entry, key)
    return [204]
  }
  if (entry.deletion) return [404, 'not_found']
  if (!entry.changes.includes(key)) {
    if (entry.version !== base) return [412, 'stale']
    Object.assign(entry, { title, version: entry.version + 1 })
    remember(entry, key)
  }
  return [200, entry.title, entry.version, undefined]
}

async function send({ kind, id, key, title, base }: Request): Promise<unknown[]> {
  const entries = `/api/milestones/${milestoneId}/entries`
  const requests = {
    create: { method: 'POST', url: entries, payload: { _id: id, title, content: title } },
    update: { method: 'PUT', url: `${entries}/${id}`, payload: { title } },
    delete: { method: 'DELETE', url: `${entries}/${id}` },
    restore: { method: 'POST', url: `/api/trash/${key}/restore`, payload: {} },
  } as const
  const headers = {
    ...owner.headers,
    'idempotency-key': key,
    ...(kind === 'update' && { 'if-match': `"${base}"` }),
  }
  const answer = await t.app.inject({ ...requests[kind], headers })
  if (answer.statusCode >= 400) return [answer.statusCode, answer.json().code]
  if (kind === 'delete' || kind === 'restore') return [answer.statusCode]
  const { title: shown, version } = answer.json()
  return [answer.statusCode, shown, version, answer.headers['change-applied']]
}

/** A new request about one of three entries, or an earlier request that is sent again. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('create', 'update', 'update', 'update', 'delete', 'restore'),
      of: fc.nat(2),
      isStale: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ again: fc.nat(1_000) }) },
)

it('any sequence of changes and repetitions has the effect of each change once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const ids = [randomUUID(), randomUUID(), randomUUID()]
      const model = new Map<string, Entry>()
      const sent: Request[] = []
      for (const [index, one] of steps.entries()) {
        const request = 'again' in one ? sent[one.again % Math.max(1, sent.length)] : next(one, index)
        if (!request) continue
        sent.push(request)
        expect(await send(request)).toEqual(expected(model, request))
      }

      function next(
        { kind, of, isStale }: { kind: string; of: number; isStale: boolean },
        index: number,
      ): Request {
        const id = ids[of] ?? ''
        const { version = 1, deletion = null } = model.get(id) ?? {}
        return {
          kind: kind as Request['kind'],
          id,
          key: kind === 'restore' ? (deletion ?? randomUUID()) : randomUUID(),
          title: `Title ${index}`,
          base: isStale && index % 4 === 0 ? version + 1 : version,
        }
      }
    }),
    { numRuns: runs(15) },
  )
})
