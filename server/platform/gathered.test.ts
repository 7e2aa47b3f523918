import { expect, it } from 'vitest'
import { gathered } from './gathered.ts'

function lookUps() {
  const asked: string[][] = []
  const ask = gathered(async (keys) => {
    asked.push([...keys])
    return new Map(keys.filter((key) => key !== 'absent').map((key) => [key, `${key} ${asked.length}`]))
  })
  return { asked, ask }
}

it('answers what is asked at once by one look-up, each key once', async () => {
  const { asked, ask } = lookUps()
  expect(await Promise.all(['a', 'b', 'a', 'absent'].map(ask))).toEqual(['a 1', 'b 1', 'a 1', undefined])
  expect(asked).toEqual([['a', 'b', 'absent']])
})

it('never answers by a look-up that began before the question', async () => {
  let release = () => {}
  const begun: string[] = []
  const ask = gathered(async (keys) => {
    begun.push(keys.join())
    const number = begun.length
    if (number === 1) await new Promise<void>((resolve) => (release = resolve))
    return new Map(keys.map((key) => [key, number]))
  })
  const early = ask('a')
  await expect.poll(() => begun.length).toBe(1)
  expect(await ask('a')).toBe(2)
  release()
  expect(await early).toBe(1)
})

it('passes a failure on and asks anew afterwards', async () => {
  let broken = true
  const ask = gathered(async (keys) => {
    if (broken) throw new Error('away')
    return new Map(keys.map((key) => [key, true]))
  })
  await expect(ask('a')).rejects.toThrow('away')
  broken = false
  expect(await ask('a')).toBe(true)
})
