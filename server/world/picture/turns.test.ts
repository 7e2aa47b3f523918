import { expect, it } from 'vitest'
import type { Card } from './card.ts'
import { createPictures } from './pictures.ts'

const card = (title: string): Card => ({ kind: 'project', title, ownerName: 'Ada', progress: 0, stops: [] })

/** Pictures by a painter that notes what it paints, each only after the one before was taken from it. */
function recorded() {
  const painted: string[] = []
  const picture = createPictures(async (card) => {
    painted.push('title' in card ? card.title : 'site')
    await new Promise(setImmediate)
    return new Uint8Array(1)
  })
  return { painted, picture }
}

it('a client that asks for sixty pictures does not hold up another that asks for one', async () => {
  const { painted, picture } = recorded()
  const greedy = Array.from({ length: 60 }, (_, index) => picture('192.0.2.1', card(`greedy ${index}`)))
  const outcomes = Promise.allSettled(greedy)
  await picture('192.0.2.2', card('modest'))
  expect(painted.indexOf('modest')).toBeLessThanOrEqual(1)
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(60 - 16)
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests', retryAfter: 5 } })
})

it('a picture is painted once, for many requests of one client and for other clients too', async () => {
  const { painted, picture } = recorded()
  const clients = ['192.0.2.1', '192.0.2.2', ...Array.from({ length: 40 }, () => '192.0.2.3')]
  await Promise.all(clients.map((client) => picture(client, card('A canoe'))))
  expect(painted).toEqual(['A canoe'])
})
