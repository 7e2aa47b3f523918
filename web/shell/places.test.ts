import { expect, test } from 'vitest'
import { placeOf } from './places.server.ts'

const P = '0199f1f0-0000-7000-8000-000000000001'
const E = '0199f1f0-0000-7000-8000-000000000002'

const place = (address: string) => placeOf(new URL(address, 'https://milepost.example'))

test.each([
  ['/', '/', undefined],
  ['/?from=mail', '/', undefined],
  ['/markdown-guide', '/markdown-guide', undefined],
  ['/login', '/login', undefined],
  [`/world/${P}`, `/world/${P}`, P],
  [`/world/${P}?utm_source=x&page=1`, `/world/${P}`, P],
  [`/world/${P}?page=2&milestone=${E}`, `/world/${P}?milestone=${E}&page=2`, P],
  [`/world/${P}?page=two&milestone=gone`, `/world/${P}`, P],
  [`/world/${P}/entries/${E}?page=2`, `/world/${P}/entries/${E}`, P],
  [`/world/${P}/feed.atom?x`, `/world/${P}/feed.atom`, P],
  [`/world/${P}/feed.json`, `/world/${P}/feed.json`, P],
  [`/world/${P}.data?page=2`, `/world/${P}.data?page=2`, P],
  [`/world/${P}/entries/${E}.data`, `/world/${P}/entries/${E}.data`, P],
])('%s is the place %s', (address, own, projectId) => {
  expect(place(address)).toEqual(projectId ? { address: own, projectId } : { address: own })
})

test.each([
  '/login?redirect=%2Fdashboard',
  '/dashboard',
  `/projects/${P}`,
  `/world/${P}/`,
  `/world/${P}/entries`,
  `/world/${P}/feed.xml`,
  '/world/no-id',
  '/nope',
])('%s is none', (address) => {
  expect(place(address)).toBeNull()
})
