import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Client, clientNamed, FairQueue, type Place } from './fair-queue.ts'

const SECOND = 1_000
const busy = { code: 'unavailable', status: 503, retryAfter: expect.any(Number) }
const tooMany = { code: 'too_many_requests', status: 429, retryAfter: expect.any(Number) }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const at = (person: string, network = person): Client => ({ person, network })

/** What becomes of a request for a place. */
type Asked = {
  client: Client
  outcome: 'waits' | 'holds' | 'refused' | 'ended'
  place?: Place
  code?: string
}

function ask(queue: FairQueue, client: Client): Asked {
  const asked: Asked = { client, outcome: 'waits' }
  const follow = async () => {
    try {
      asked.place = await queue.enter(client)
      asked.outcome = 'holds'
      asked.place.taken.addEventListener('abort', () => (asked.outcome = 'ended'))
    } catch (error) {
      asked.outcome = 'refused'
      asked.code = (error as { code: string }).code
    }
  }
  void follow()
  return asked
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const outcomes = (all: Asked[]) => all.map(({ outcome }) => outcome)

describe('a fair queue', () => {
  it('runs the work of one person in order, and goes on after a failure', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 9, each: 9 })
    const done: number[] = []
    const failing = queue.run(at('ada'), () => Promise.reject(new Error('broken')))
    const all = [1, 2, 3].map((number) => queue.run(at('ada'), async () => void done.push(number)))
    await expect(failing).rejects.toThrow('broken')
    await Promise.all(all)
    expect(done).toEqual([1, 2, 3])
  })

  it('refuses a person who asks for too much, and everybody if nobody has more than another', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 2, each: 2, tooMany: 'Two are enough.' })
    const all = ['ada', 'ada', 'grace'].map((person) => ask(queue, at(person)))
    await expect(queue.enter(at('ada'))).rejects.toMatchObject({
      ...tooMany,
      message: 'Two are enough. Please try again in a moment.',
    })
    await expect(queue.enter(at('joan'))).rejects.toMatchObject(busy)
    expect(outcomes(all)).toEqual(['holds', 'waits', 'waits'])
  })

  it('refuses what has waited too long', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 9, each: 9, waitMs: 8 * SECOND })
    const all = ['ada', 'grace'].map((person) => ask(queue, at(person)))
    await vi.advanceTimersByTimeAsync(8 * SECOND)
    expect(outcomes(all)).toEqual(['holds', 'refused'])
    all[0]?.place?.release()
    const next = ask(queue, at('joan'))
    await settle()
    expect(next.outcome).toBe('holds')
  })

  it('has a place for a newcomer when it is full: that of the newest of whoever has most', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 8, each: 4 })
    const eight = ['a', 'b', 'c'].flatMap((person) => Array.from({ length: 3 }, () => ask(queue, at(person))))
    await settle()
    const newcomer = ask(queue, at('newcomer'))
    await settle()
    expect(outcomes(eight)).toEqual(['holds', ...Array(7).fill('waits'), 'refused'])
    expect(newcomer.outcome).toBe('waits')
  })

  it('counts the accounts of one network together against others, and one by one against each other', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 8, each: 4 })
    const crowd = Array.from({ length: 9 }, (_, number) => ask(queue, at(`account ${number}`, 'crowd')))
    await settle()
    const newcomer = ask(queue, at('newcomer'))
    await settle()
    expect([crowd.at(-1)?.outcome, newcomer.outcome]).toEqual(['refused', 'waits'])
    const another = ask(queue, at('account 10', 'crowd'))
    await settle()
    expect(another.outcome).toBe('refused')
    crowd[0]?.place?.release()
    await settle()
    expect(newcomer.outcome).toBe('holds')
  })

  it('counts the networks of one IPv6 site together', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 3, each: 2 })
    const all = [1, 2, 3, 4].map((number) => ask(queue, clientNamed(`2001:db8:7:${number}::/64`)))
    const visitor = ask(queue, clientNamed('2001:db8:8:1::/64'))
    await settle()
    expect(outcomes([...all, visitor])).toEqual(['holds', 'waits', 'waits', 'refused', 'waits'])
  })

  it('counts one person who comes from many networks', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 4, each: 9 })
    const wanderer = Array.from({ length: 5 }, (_, number) => ask(queue, at('wanderer', `network ${number}`)))
    const newcomer = ask(queue, at('newcomer'))
    await settle()
    expect(wanderer.at(-1)?.outcome).toBe('refused')
    wanderer[0]?.place?.release()
    await settle()
    expect(newcomer.outcome).toBe('holds')
  })

  it('takes turns between clients, regardless of their numbers of waiting tasks', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 99, each: 60 })
    const done: string[] = []
    const work = (person: string) => queue.run(at(person), async () => void done.push(person))
    const many = Array.from({ length: 60 }, () => work('ada'))
    await Promise.all([work('grace'), work('alan')])
    expect(done.filter((person) => person === 'ada').length).toBeLessThanOrEqual(2)
    await Promise.all(many)
  })

  it('takes turns between the people of one network, whose use is forgotten while they are compared', async () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1))
    const queue = new FairQueue({ atOnce: 1, waiting: 9, each: 9 })
    const [first, second, third] = [1, 2, 3].map(() => ask(queue, at('ada', 'home')))
    const newcomer = ask(queue, at('grace', 'home'))
    await settle()
    first?.place?.release()
    await settle()
    expect(newcomer.outcome).toBe('holds')
    newcomer.place?.release()
    await settle()
    expect([second?.outcome, third?.outcome]).toEqual(['holds', 'waits'])
  })

  it('serves first who has used least time, however often others come back', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 99, each: 9 })
    const heavy = Array.from({ length: 8 }, (_, number) => clientNamed(`heavy ${number}`))
    const work = (client: Client, ms: number) =>
      queue.run(client, () => new Promise((resolve) => setTimeout(resolve, ms)))
    for (const client of heavy) void work(client, 10 * SECOND)
    await vi.advanceTimersByTimeAsync(80 * SECOND)
    for (const client of heavy) void work(client, 10 * SECOND)
    const waits: number[] = []
    for (let times = 0; times < 3; times += 1) {
      const from = performance.now()
      const light = work(at('light'), SECOND / 2).then(() => waits.push(performance.now() - from))
      await vi.advanceTimersByTimeAsync(11 * SECOND)
      await light
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(10.5 * SECOND)
  })

  it('keeps a quarter of its places from whoever has the others', async () => {
    const queue = new FairQueue({ atOnce: 4, waiting: 9, each: 9 })
    const greedy = Array.from({ length: 4 }, () => ask(queue, at('greedy')))
    await settle()
    expect(outcomes(greedy)).toEqual(['holds', 'holds', 'holds', 'waits'])
    const newcomer = ask(queue, at('newcomer'))
    await settle()
    expect(newcomer.outcome).toBe('holds')
  })

  it('gives the place of the slowest to who waits without one, only after a time, and later if it keeps the pace', async () => {
    const queue = new FairQueue({ atOnce: 2, waiting: 9, each: 2, hold: { ms: 10 * SECOND, pace: 1_000 } })
    const [idle, busyOne] = ['idle', 'reader'].map((person) => ask(queue, at(person)))
    await settle()
    busyOne?.place?.advance(1_000_000)
    const first = ask(queue, at('first'))
    await vi.advanceTimersByTimeAsync(9 * SECOND)
    expect(first.outcome).toBe('waits')
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    expect(outcomes([idle, busyOne, first] as Asked[])).toEqual(['ended', 'holds', 'holds'])
    first.place?.keep()
    const second = ask(queue, at('second'))
    await vi.advanceTimersByTimeAsync(60 * SECOND)
    expect(outcomes([busyOne, first, second] as Asked[])).toEqual(['ended', 'holds', 'holds'])
  })

  it('refuses who has used too much, and tells when it will be less', async () => {
    const queue = new FairQueue({
      atOnce: 1,
      waiting: 9,
      each: 9,
      budget: { personMs: 60 * SECOND, networkMs: 90 * SECOND },
    })
    const use = async (client: Client, ms: number) => {
      const place = await queue.enter(client)
      await vi.advanceTimersByTimeAsync(ms)
      place.release()
    }
    await use(at('ada', 'office'), 70 * SECOND)
    const refusal = await queue.enter(at('ada', 'elsewhere')).catch((error: unknown) => error)
    expect(refusal).toMatchObject(tooMany)
    await use(at('grace', 'office'), 50 * SECOND)
    await expect(queue.enter(at('joan', 'office'))).rejects.toMatchObject(tooMany)
    await use(at('mary'), SECOND)
    await vi.advanceTimersByTimeAsync((refusal as { retryAfter: number }).retryAfter * SECOND)
    await use(at('ada', 'elsewhere'), SECOND)
  })
})

type Step =
  | { does: 'ask'; client: Client }
  | { does: 'release'; which: number }
  | { does: 'wait'; ms: number }

const client = fc.record({
  person: fc.constantFrom('ada', 'grace', 'joan', 'mary', 'edith'),
  network: fc.constantFrom('office', 'home', 'train'),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: client.map((client) => ({ does: 'ask' as const, client })) },
  { weight: 2, arbitrary: fc.nat(9).map((which) => ({ does: 'release' as const, which })) },
  { weight: 1, arbitrary: fc.nat(5_000).map((ms) => ({ does: 'wait' as const, ms })) },
)
const anyRules = fc.record(
  {
    atOnce: fc.integer({ min: 1, max: 5 }),
    waiting: fc.integer({ min: 0, max: 8 }),
    each: fc.integer({ min: 1, max: 20 }),
    hold: fc.record({ ms: fc.constantFrom(0, 3_000) }),
  },
  { requiredKeys: ['atOnce', 'waiting', 'each'] },
)

/** The number of places that a client's person or network holds. */
const holdsOf = (held: Asked[], client: Client) =>
  Math.max(
    held.filter((one) => one.client.person === client.person).length,
    held.filter((one) => one.client.network === client.network).length,
  )

it('stays within its bounds and has a place for a newcomer, whatever the others do', async () => {
  await fc.assert(
    fc.asyncProperty(anyRules, fc.array(step, { maxLength: 60 }), async (rules, steps) => {
      const queue = new FairQueue(rules)
      const all: Asked[] = []
      const having = (outcome: Asked['outcome']) => all.filter((asked) => asked.outcome === outcome)
      const share = rules.atOnce - (rules.atOnce > 1 ? Math.ceil(rules.atOnce / 4) : 0)
      for (const one of steps) {
        if (one.does === 'ask') all.push(ask(queue, one.client))
        const released = one.does === 'release' ? having('holds')[one.which] : undefined
        if (released) {
          released.place?.release()
          all.splice(all.indexOf(released), 1)
        }
        await vi.advanceTimersByTimeAsync(one.does === 'wait' ? one.ms : 0)
        const [held, waiting] = [having('holds'), having('waits')]
        expect(held.length).toBeLessThanOrEqual(rules.atOnce)
        expect(waiting.length).toBeLessThanOrEqual(rules.waiting)
        for (const by of ['person', 'network'] as const)
          for (const group of Map.groupBy(held, ({ client }) => client[by]).values())
            expect(group.length).toBeLessThanOrEqual(share)
        // A free place is given to everybody who may have it.
        const mayBegin = waiting.filter(({ client }) => holdsOf(held, client) < share)
        expect(held.length === rules.atOnce || mayBegin.length === 0).toBe(true)
      }
      // Whoever has nothing gets a place, unless nobody has more than one of what there is.
      const newcomer = ask(queue, at('newcomer'))
      await settle()
      const [held, waiting] = [having('holds'), having('waits')]
      const isShared = new Set(waiting.map(({ client }) => client.network)).size === waiting.length
      const isFull = held.length === rules.atOnce && waiting.length === rules.waiting
      expect(newcomer.outcome !== 'refused' || (isFull && isShared)).toBe(true)
    }),
    { numRuns: 100 },
  )
})
