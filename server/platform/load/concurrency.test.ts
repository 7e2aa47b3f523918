import { describe, expect, it } from 'vitest'
import { createFairQueue, limitConcurrency } from './concurrency.ts'

const expected = { code: 'unavailable', status: 503, retryAfter: expect.any(Number) }

describe('work with a concurrency limit', () => {
  it('is queued in order, and refused when the queue is full', async () => {
    const acquire = limitConcurrency({ atOnce: 1, waiting: 2, each: 9 })
    const begun: string[] = []
    const begin = async (name: string) => {
      const release = await acquire(name)
      begun.push(name)
      return release
    }
    const first = await begin('first')
    const [second, third] = [begin('second'), begin('third')]
    await expect(begin('fourth')).rejects.toMatchObject(expected)
    expect(begun).toEqual(['first'])
    first()
    const releaseSecond = await second
    const late = begin('late')
    expect(begun).toEqual(['first', 'second'])
    releaseSecond()
    ;(await third)()
    ;(await late)()
    expect(begun).toEqual(['first', 'second', 'third', 'late'])
    ;(await begin('last'))()
  })

  it('is limited for each client', async () => {
    const acquire = limitConcurrency({ atOnce: 3, each: 2 })
    const release = await acquire('ada')
    await acquire('ada')
    await expect(acquire('ada')).rejects.toMatchObject(expected)
    await acquire('grace')
    await expect(acquire('joan')).rejects.toMatchObject(expected)
    release()
    release() // a second call has no effect
    await acquire('ada')
    await expect(acquire('joan')).rejects.toMatchObject(expected)
  })
})

/** Work that the test ends. */
function held() {
  let release = () => {}
  const ended = new Promise<void>((resolve) => {
    release = resolve
  })
  return { work: () => ended, release }
}

describe('a fair queue', () => {
  it('runs the work of one client in order, one task at a time', async () => {
    const queue = createFairQueue({ longest: 9, each: 9 })
    const begun: number[] = []
    const pieces = [held(), held(), held()]
    const all = pieces.map(({ work }, index) =>
      queue('ada', () => {
        begun.push(index)
        return work()
      }),
    )
    for (const [index, { release }] of pieces.entries()) {
      await new Promise(setImmediate)
      expect(begun).toEqual([0, 1, 2].slice(0, index + 1))
      release()
    }
    await Promise.all(all)
  })

  it('takes turns between clients, regardless of their numbers of queued tasks', async () => {
    const queue = createFairQueue({ longest: 99, each: 60 })
    const done: string[] = []
    const work = (client: string) => queue(client, async () => void done.push(client))
    const many = Array.from({ length: 60 }, () => work('ada'))
    await Promise.all([work('grace'), work('alan')])
    expect(done.indexOf('grace')).toBeLessThanOrEqual(1)
    expect(done.indexOf('alan')).toBeLessThanOrEqual(2)
    await Promise.all(many)
    expect(done).toHaveLength(62)
  })

  it('continues after a failure', async () => {
    const queue = createFairQueue({ longest: 9, each: 9 })
    await expect(queue('ada', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await queue('ada', async () => 'done')).toBe('done')
  })

  it('refuses a client with too many queued tasks, and every client if it is full', async () => {
    const queue = createFairQueue({ longest: 3, each: 2 })
    const first = held()
    const running = ['ada', 'ada', 'grace'].map((person) => queue(person, first.work))
    const nothing = async () => undefined
    await expect(queue('ada', nothing)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 5 })
    await expect(queue('alan', nothing)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
    first.release()
    await Promise.all(running)
    await expect(queue('ada', async () => 'done')).resolves.toBe('done')
  })

  it('refuses work that has waited too long without running it', async () => {
    const time = { now: 0 }
    const queue = createFairQueue({ longest: 9, each: 9, timeoutMs: 100 }, () => time.now)
    const first = held()
    const done: string[] = []
    const running = queue('ada', first.work)
    const late = queue('grace', async () => void done.push('late')).catch((error: unknown) => error)
    time.now = 101
    first.release()
    await running
    expect(await late).toMatchObject({ code: 'unavailable', retryAfter: 2 })
    expect(done).toEqual([])
  })
})
