import { expect, test } from 'vitest'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { createSemaphore } from './hashing.ts'

function held() {
  let release = () => {}
  const done = new Promise<void>((resolve) => {
    release = resolve
  })
  return { release, work: () => done }
}

test('a semaphore runs a few tasks concurrently, then the next ones in order, and refuses tasks beyond its queue', async () => {
  const semaphore = createSemaphore({ atOnce: 2, waiting: 1 })
  const [first, second, third] = [held(), held(), held()]
  let entered = 0
  const through = [first, second, third].map(({ work }, index) =>
    semaphore(clientNamed(`network ${index}`), () => {
      entered += 1
      return work()
    }),
  )
  await expect.poll(() => entered).toBe(2)
  const another = clientNamed('another network')
  await expect(semaphore(another, async () => undefined)).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 2,
  })
  first.release()
  await through[0]
  await expect.poll(() => entered).toBe(3)
  second.release()
  third.release()
  await Promise.all(through)
  await expect(semaphore(another, async () => 'open again')).resolves.toBe('open again')
})

test('a task that fails releases its slot', async () => {
  const semaphore = createSemaphore({ atOnce: 1, waiting: 0 })
  const one = clientNamed('one network')
  const failing = semaphore(one, async () => {
    throw new Error('no luck')
  })
  await expect(failing).rejects.toThrow('no luck')
  await expect(semaphore(one, async () => 'next')).resolves.toBe('next')
})

test('one network, or one site with many of them, does not keep others from signing in', async () => {
  const semaphore = createSemaphore({ atOnce: 1, waiting: 4 })
  const release = Promise.withResolvers<void>()
  const order: string[] = []
  const attempts = Array.from({ length: 5 }, (_, index) =>
    semaphore(clientNamed(`2001:db8:1:${index}::/64`), async () => {
      await release.promise
      order.push('the site')
    }),
  )
  const newest = attempts[4]?.catch((error: unknown) => error)
  const newcomer = semaphore(clientNamed('192.0.2.1'), async () => void order.push('a newcomer'))
  release.resolve()
  await Promise.all([...attempts.slice(0, 4), newcomer])
  expect(await newest).toMatchObject({ code: 'unavailable' })
  expect(order.slice(0, 2)).toEqual(['the site', 'a newcomer'])
})
