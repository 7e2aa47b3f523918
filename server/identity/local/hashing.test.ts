import { expect, test } from 'vitest'
import { createGate } from './hashing.ts'

function held() {
  let release = () => {}
  const done = new Promise<void>((resolve) => {
    release = resolve
  })
  return { release, work: () => done }
}

test('a gate lets a few through at once, the next when one is done, and turns away who would wait too long', async () => {
  const gate = createGate({ atOnce: 2, waiting: 1 })
  const [first, second, third] = [held(), held(), held()]
  let entered = 0
  const through = [first, second, third].map(({ work }) =>
    gate(() => {
      entered += 1
      return work()
    }),
  )
  await Promise.resolve()
  expect(entered).toBe(2)
  await expect(gate(async () => undefined)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
  first.release()
  await through[0]
  await Promise.resolve()
  expect(entered).toBe(3)
  second.release()
  third.release()
  await Promise.all(through)
  await expect(gate(async () => 'open again')).resolves.toBe('open again')
})

test('work that fails leaves the gate', async () => {
  const gate = createGate({ atOnce: 1, waiting: 0 })
  const failing = gate(async () => {
    throw new Error('no luck')
  })
  await expect(failing).rejects.toThrow('no luck')
  await expect(gate(async () => 'next')).resolves.toBe('next')
})
