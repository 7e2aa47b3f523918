import { expect, it } from 'vitest'
import { testPages } from './testing.ts'

it.each(['/login', '/register'])('a visitor of %s loads no code of the signed-in screens', async (url) => {
  const { app } = await testPages()
  const { body } = await app.inject(url)
  await app.close()
  const scripts = [...body.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, script]) => script)
  expect(scripts.length).toBeGreaterThan(5)
  expect(scripts.filter((script) => script?.includes('signed-in-'))).toEqual([])
})
