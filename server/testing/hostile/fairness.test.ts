import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EVENTS_PATH } from '#contract/events-path.ts'
import { readEvents, replicaOf } from '#server/events/testing.ts'
import { createInspector } from '#server/files/inspection/inspect.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({}, { trustProxy: true, searchTimeoutMs: 60_000 })
})
afterAll(() => t.close())

/** The same person, from another network. */
const from = (network: string, person: Person): Person => ({
  ...person,
  headers: { ...person.headers, 'x-forwarded-for': network },
})

const people = (count: number, network?: string) =>
  Promise.all(
    Array.from({ length: count }, async (_, number) =>
      from(network ?? `192.0.2.${number}`, await t.person()),
    ),
  )

describe('a newcomer gets a place', () => {
  it('for an upload, while eight accounts send as many slow pictures as they may', async () => {
    const waiting: (() => void)[] = []
    const inspector = createInspector(t.deps.log, () => {
      const { promise, reject } = Promise.withResolvers<never>()
      waiting.push(() => reject(new Error('took very long')))
      return promise
    })
    const app = await t.replica({ inspector })
    const upload = (as: Person) =>
      sendForm(app, {
        method: 'PUT',
        url: '/api/account/picture',
        as,
        fields: {},
        image: { bytes: Buffer.from('a picture') },
      })
    const status = async (as: Person) => (await upload(as)).statusCode
    const attackers = await people(9)
    const attacks = attackers.flatMap((attacker) => Array.from({ length: 4 }, () => status(attacker)))
    const ended: number[] = []
    for (const attack of attacks) void attack.then((code) => ended.push(code))
    await expect.poll(() => ended.length).toBe(3)
    let outcome: number | undefined
    void status(from('198.51.100.1', await t.person())).then((code) => (outcome = code))
    // It takes the place of one that waits.
    await expect.poll(() => ended.length).toBe(4)
    // Its turn is next, because it has used nothing.
    waiting[0]?.()
    await expect.poll(() => waiting.length).toBe(2)
    waiting[1]?.()
    await expect.poll(() => outcome).toBe(503)
    await expect.poll(() => ended.length).toBe(5)
    await expect
      .poll(() => {
        for (const end of waiting) end()
        return ended.length
      })
      .toBe(36)
    await app.close()
  })

  it('for a search, while three members have as many as they may', async () => {
    const search = (as: Person, project: { _id: string }) =>
      t.app.inject({
        url: `/api/projects/${project._id}/entries?page=1&search=canoe`,
        headers: as.headers,
      })
    const attackers = await people(3)
    const newcomer = from('198.51.100.2', await t.person())
    const [attacked, own] = await Promise.all([
      Promise.all(attackers.map((attacker) => t.project(attacker))),
      t.project(newcomer),
    ])
    const lock = await t.deps.db.startTransaction().execute()
    await sql`lock table entries in access exclusive mode`.execute(lock)
    const codes: number[] = []
    attackers.forEach((attacker, index) => {
      for (let times = 0; times < 6; times += 1)
        void search(attacker, attacked[index] as { _id: string }).then(({ statusCode }) =>
          codes.push(statusCode),
        )
    })
    await expect.poll(() => codes.length).toBeGreaterThan(0)
    const refusedBefore = codes.length
    const answer = search(newcomer, own)
    await expect.poll(() => codes.length).toBeGreaterThan(refusedBefore)
    await lock.rollback().execute()
    expect((await answer).statusCode).toBe(200)
    await expect.poll(() => codes.length).toBe(18)
  })

  it('for its events, while one network has most of the streams', async () => {
    const small = await replicaOf(t, { eventStreamsMax: 4, trustProxy: true })
    await small.app.listen({ port: 0, host: '127.0.0.1' })
    const [crowd, other, newcomer] = await Promise.all([people(3, '192.0.2.1'), t.person(), t.person()])
    const readings = await Promise.all(
      [...crowd, from('192.0.2.2', other)].map((person) => readEvents(small.app, person)),
    )
    expect(readings.map(({ response }) => response.statusCode)).toEqual([200, 200, 200, 200])
    const { headers } = from('192.0.2.1', await t.person())
    expect((await small.app.inject({ url: EVENTS_PATH, headers })).statusCode).toBe(503)
    const reading = await readEvents(small.app, from('198.51.100.3', newcomer))
    expect(reading.response.statusCode).toBe(200)
    await vi.waitFor(() => expect(readings.filter(({ hasEnded }) => hasEnded)).toHaveLength(1))
    expect(readings.at(-1)?.hasEnded).toBe(false)
    for (const one of [...readings, reading]) one.leave()
    await small.close()
  })
})
