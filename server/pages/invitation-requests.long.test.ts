import { expect, test } from 'vitest'
import { createLogger } from '#server/platform/log/logger.ts'
import { testApp } from '#server/testing/app.ts'

test('another spelling of a URL does not bypass the invitation rate limit, nor put the token into the log', async () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const strict = await testApp({ log }, { rateLimit: true, pages: 'built' })
  const spellings = [
    'POST /api/collaborators/accept/',
    'POST /api/collaborators/%61ccept/',
    'POST /api/./collaborators/decline/',
    'GET /invite/',
    'GET /INVITE/',
    'GET /%69nvite/',
    'GET /world/../invite/',
    'GET /invite\\',
  ]
  const statuses: number[] = []
  for (let n = 0; n < 64; n += 1) {
    const [method = '', path = ''] = (spellings[n % spellings.length] ?? '').split(' ')
    const url = { pathname: `${path}secret${n}` } as never
    statuses.push((await strict.app.inject({ method: method as 'GET', url })).statusCode)
  }
  expect(statuses).toEqual([...Array<number>(60).fill(404), 429, 429, 429, 429])
  expect(lines.length).toBeGreaterThanOrEqual(statuses.length)
  expect(lines.filter((line) => line.includes('secret'))).toEqual([])
  await strict.close()
})
