import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

/** A queue whose work ends when it is told to. */
function queueOf(bounds: Partial<Parameters<typeof createFairQueue>[0]> = {}) {
  const time = { now: 0 }
  const done: string[] = []
  const running: (() => void)[] = []
  const queue = createFairQueue({ longest: 10, each: 5, timeoutMs: 100, ...bounds }, () => time.now)
  const add = (person: string, name: string) =>
    queue(person, async () => {
      await new Promise<void>((resolve) => running.push(resolve))
      done.push(name)
      return name
    })
  /** Ends what runs, and has the next begin. */
  const finish = async () => {
    running.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { add, finish, done, time }
}

test('people take turns, and each one’s work is done in its order', async () => {
  const { add, finish, done } = queueOf()
  const all = [
    add('mallory', 'm1'),
    add('mallory', 'm2'),
    add('mallory', 'm3'),
    add('ada', 'a1'),
    add('ada', 'a2'),
  ]
  for (const _ of all) await finish()
  expect(await Promise.all(all)).toEqual(['m1', 'm2', 'm3', 'a1', 'a2'])
  expect(done).toEqual(['m1', 'm2', 'a1', 'm3', 'a2'])
})

test('too much of one person is refused, and of others not', async () => {
  const { add, finish } = queueOf({ each: 1 })
  const allowed = [add('mallory', 'm1'), add('mallory', 'm2'), add('ada', 'a1')]
  await expect(add('mallory', 'm3')).rejects.toMatchObject({ code: 'too_many_requests' })
  for (const _ of allowed) await finish()
  await Promise.all(allowed)
})

test('too much in all is refused', async () => {
  const { add, finish } = queueOf({ longest: 1 })
  const allowed = [add('ada', 'a1'), add('bo', 'b1')]
  await expect(add('cy', 'c1')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
  for (const _ of allowed) await finish()
  await Promise.all(allowed)
})

test('what has waited too long is refused and not done', async () => {
  const { add, finish, done, time } = queueOf()
  const [first, second] = [add('ada', 'a1'), add('bo', 'b1')]
  const refused = second.catch((error: unknown) => error)
  time.now = 101
  await finish()
  expect(await refused).toMatchObject({ code: 'unavailable' })
  expect(await first).toBe('a1')
  expect(done).toEqual(['a1'])
})

test('work that fails takes nothing from what comes after it', async () => {
  const queue = createFairQueue({ longest: 10, each: 5, timeoutMs: 100 })
  const failing = queue('ada', async () => {
    throw new Error('it fell')
  })
  const next = queue('ada', async () => 'it rose')
  await expect(failing).rejects.toThrow('it fell')
  expect(await next).toBe('it rose')
})
