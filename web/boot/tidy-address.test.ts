import { expect, test } from 'vitest'
import { tidyAddress } from './tidy-address.ts'

const id = '0190a5a0-0000-7000-8000-00000000abcd'
const upper = id.toUpperCase()

test.each([
  [`/projects/${upper}`, `?selected=${upper}`, `/projects/${id}?selected=${id}`],
  [`/projects/${id}%20`, '', `/projects/${id}`],
  [`/projects/${id}).`, '?page=2', `/projects/${id}?page=2`],
  [`/projects/${id}%E2%80%9D`, '', `/projects/${id}`],
  [`/projects/${id}/tags/C%20(K%26R)`, '', `/projects/${id}/tags/C%20(K%26R)`],
  ['/dashboard', '?search=ABC', '/dashboard?search=ABC'],
  ['/.', '', '/'],
])('%s%s is %s', (pathname, search, expected) => {
  expect(tidyAddress({ pathname, search })).toBe(expected)
})
