import { expect, test } from 'vitest'
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
  const through = [first, second, third].map(({ work }) =>
    semaphore(() => {
      entered += 1
      return work()
    }),
  )
  await Promise.resolve()
  expect(entered).toBe(2)
  await expect(semaphore(async () => undefined)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
  first.release()
  await through[0]
  await Promise.resolve()
  expect(entered).toBe(3)
  second.release()
  third.release()
  await Promise.all(through)
  await expect(semaphore(async () => 'open again')).resolves.toBe('open again')
})

test('a task that fails releases its slot', async () => {
  const semaphore = createSemaphore({ atOnce: 1, waiting: 0 })
  const failing = semaphore(async () => {
    throw new Error('no luck')
  })
  await expect(failing).rejects.toThrow('no luck')
  await expect(semaphore(async () => 'next')).resolves.toBe('next')
})
