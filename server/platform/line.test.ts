import { describe, expect, it } from 'vitest'
import { createLine } from './line.ts'

/** Work that ends when it is told to. */
function held() {
  let release = () => {}
  const ended = new Promise<void>((resolve) => {
    release = resolve
  })
  return { work: () => ended, release }
}

describe('a line', () => {
  it('does one after the other in the order of asking', async () => {
    const inLine = createLine({ longest: 9, each: 9 })
    const begun: number[] = []
    const pieces = [held(), held(), held()]
    const all = pieces.map(({ work }, index) =>
      inLine('ada', () => {
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

  it('goes on after work that fails', async () => {
    const inLine = createLine({ longest: 9, each: 9 })
    await expect(inLine('ada', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await inLine('ada', async () => 'done')).toBe('done')
  })

  it('refuses whoever has too much in it, and everybody once it is too long', async () => {
    const inLine = createLine({ longest: 3, each: 2 })
    const first = held()
    const running = ['ada', 'ada', 'grace'].map((person) => inLine(person, first.work))
    const nothing = async () => undefined
    await expect(inLine('ada', nothing)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 5 })
    await expect(inLine('alan', nothing)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
    first.release()
    await Promise.all(running)
    await expect(inLine('ada', async () => 'done')).resolves.toBe('done')
  })
})
