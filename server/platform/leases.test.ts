import { array, assert, asyncProperty, constantFrom, nat, oneof, record } from 'fast-check'
import { expect, it } from 'vitest'
import { createLeases, LEASE_MS, type Leases } from './leases.ts'

const KEY = 'a project'

/** One process that looks at a truth, step by step: a look begins, sees what is true at that moment, and ends. */
function lookingAt(truth: { value: string | undefined }, leases: Leases) {
  const looks: { see: () => void; end: () => Promise<unknown> }[] = []
  return {
    begin() {
      let seen = new Map<string, string>()
      const arrival = Promise.withResolvers<Map<string, string>>()
      const ended = leases.look([KEY], () => arrival.promise)
      const see = () => {
        seen = new Map(truth.value === undefined ? [] : [[KEY, truth.value]])
      }
      see()
      looks.push({
        see,
        end: () => {
          arrival.resolve(seen)
          return ended
        },
      })
    },
    see: (index: number) => looks.at(index % (looks.length || 1))?.see(),
    end: async (index: number) => {
      if (looks.length > 0) await looks.splice(index % looks.length, 1)[0]?.end()
    },
  }
}

const steps = array(
  oneof(
    record({ what: constantFrom('begin', 'see', 'end'), who: nat(1), which: nat(3) }),
    record({ what: constantFrom('change', 'withdraw', 'wait'), who: nat(1), which: nat(45) }),
  ),
  { minLength: 20, maxLength: 80, size: 'max' },
)

type Step = { what: string; who: number; which: number }

/** Takes the steps in two processes, and answers what was taken for granted though it was no longer so. */
async function outdated(steps: Step[]): Promise<string[]> {
  let now = 0
  let changes = 0
  const truth = { value: '0' as string | undefined }
  /** Until when each value was true; the present one is not in it. */
  const over = new Map<string, number>()
  const wrong: string[] = []
  const start = () => {
    const leases = createLeases(() => now)
    return { leases, looks: lookingAt(truth, leases), ended: new Set<string>() }
  }
  const first = start()
  const processes = [first, start()]
  for (const { what, who, which } of steps) {
    const { leases, looks, ended } = processes[who] ?? first
    const value = leases.get(KEY)
    if (value !== undefined && (over.get(value) ?? now) <= now - LEASE_MS) wrong.push(`${value} for too long`)
    if (value !== undefined && ended.has(value)) wrong.push(`${value} after its own end`)
    if (what === 'begin') looks.begin()
    else if (what === 'see') looks.see(which)
    else if (what === 'end') await looks.end(which)
    else if (what === 'wait') now += which
    else {
      if (truth.value !== undefined) {
        over.set(truth.value, now)
        ended.add(truth.value)
      }
      changes += 1
      truth.value = what === 'change' ? String(changes) : undefined
      leases.end(KEY)
    }
  }
  return wrong
}

it('what is taken for granted was true within the last moment, and never before a change of the own process', () =>
  assert(
    asyncProperty(steps, async (steps) => {
      expect(await outdated(steps)).toEqual([])
    }),
    { numRuns: 400 },
  ))

const finding = (value?: string) => async () => new Map(value === undefined ? [] : [[KEY, value]])

it('a lease is counted from the moment when the look began', async () => {
  let now = 0
  const leases = createLeases(() => now)
  await leases.look([KEY], async () => {
    now += LEASE_MS - 1
    return new Map([[KEY, 'found']])
  })
  expect(leases.get(KEY)).toBe('found')
  now += 1
  expect(leases.get(KEY)).toBeUndefined()
})

it('what was not found, and what could not be looked up, is not taken for granted', async () => {
  const leases = createLeases(() => 0)
  await leases.look([KEY], finding('found'))
  await leases.look([KEY], finding())
  expect(leases.get(KEY)).toBeUndefined()
  const failing = leases.look([KEY], () => Promise.reject(new Error('away')))
  await expect(failing).rejects.toThrow('away')
  expect(leases.get(KEY)).toBeUndefined()
})

it('the look that began last counts, whichever ends last', async () => {
  let now = 0
  const leases = createLeases(() => now)
  const slow = Promise.withResolvers<Map<string, string>>()
  const early = leases.look([KEY], () => slow.promise)
  now += 1
  await leases.look([KEY], finding('newer'))
  slow.resolve(new Map([[KEY, 'older']]))
  await early
  expect(leases.get(KEY)).toBe('newer')
})

it('a look that has begun when something ends leases nothing of it, but the rest', async () => {
  const leases = createLeases(() => 0)
  const found = Promise.withResolvers<Map<string, string>>()
  const look = leases.look([KEY, 'another'], () => found.promise)
  leases.end(KEY)
  const both = new Map([
    [KEY, 'old'],
    ['another', 'same'],
  ])
  found.resolve(both)
  expect(await look).toEqual(both)
  expect([leases.get(KEY), leases.get('another')]).toEqual([undefined, 'same'])
})

it('whoever waits has outlasted every lease from before', async () => {
  const [ours, theirs] = [createLeases(), createLeases()]
  await theirs.look([KEY], finding('old'))
  await ours.outlast()
  expect(theirs.get(KEY)).toBeUndefined()
})

it('there are no more than some thousands, however many projects are asked for', async () => {
  const leases = createLeases(() => 0)
  const keys = Array.from({ length: 20_000 }, (_, index) => String(index))
  await leases.look(keys, async () => new Map(keys.map((key) => [key, key])))
  expect(keys.filter((key) => leases.get(key) !== undefined)).toHaveLength(5_000)
})
