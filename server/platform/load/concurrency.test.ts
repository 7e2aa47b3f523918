import { describe, expect, it } from 'vitest'
import { limitConcurrency } from './concurrency.ts'

const refusal = { code: 'unavailable', status: 503, retryAfter: expect.any(Number) }

describe('work of which only so much is done at once', () => {
  it('waits for its turn in the order in which it came, and is refused where too much waits', async () => {
    const acquire = limitConcurrency({ atOnce: 1, waiting: 2, each: 9 })
    const begun: string[] = []
    const begin = async (name: string) => {
      const release = await acquire(name)
      begun.push(name)
      return release
    }
    const first = await begin('first')
    const [second, third] = [begin('second'), begin('third')]
    await expect(begin('fourth')).rejects.toMatchObject(refusal)
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

  it('is refused to a client who has enough of it, and to nobody else', async () => {
    const acquire = limitConcurrency({ atOnce: 3, each: 2 })
    const release = await acquire('ada')
    await acquire('ada')
    await expect(acquire('ada')).rejects.toMatchObject(refusal)
    await acquire('grace')
    await expect(acquire('joan')).rejects.toMatchObject(refusal)
    release()
    release() // twice is once
    await acquire('ada')
    await expect(acquire('joan')).rejects.toMatchObject(refusal)
  })
})
