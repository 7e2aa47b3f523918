import { expect, test } from 'vitest'
import { placeOf } from './places.server.ts'

const P = '0199f1f0-0000-7000-8000-000000000001'
const E = '0199f1f0-0000-7000-8000-000000000002'

const place = (address: string) => placeOf(new URL(address, 'https://milepost.example'))

const NIL = '00000000-0000-0000-0000-000000000000'
const [project, entry] = [`/world/${NIL}`, `/world/${NIL}/entries/${NIL}`]

test.each([
  ['/', '/'],
  ['/?from=mail', '/'],
  ['/about', '/about'],
  ['/markdown-guide', '/markdown-guide'],
  ['/login', '/login'],
])('%s is the place %s, which is no project’s', (address, own) => {
  expect(place(address)).toEqual({ address: own })
})

test.each([
  [`/world/${P}`, `/world/${P}`, project],
  [`/world/${P}?utm_source=x&page=1`, `/world/${P}`, project],
  [`/world/${P}?page=2&milestone=${E}`, `/world/${P}?milestone=${E}&page=2`, project],
  [`/world/${P}?page=two&milestone=gone`, `/world/${P}`, project],
  [`/world/${P}/entries/${E}?page=2`, `/world/${P}/entries/${E}`, entry],
  [`/world/${P}/feed.atom?x`, `/world/${P}/feed.atom`, `${project}/feed.atom`],
  [`/world/${P}/feed.json`, `/world/${P}/feed.json`, `${project}/feed.json`],
])('%s is the place %s, where there may be as little as at %s', (address, own, missing) => {
  expect(place(address)).toEqual({ address: own, projectId: P, missing })
})

test.each([
  [`/world/${P}.data?page=2`, `/world/${P}.data?page=2`],
  [`/world/${P}/entries/${E}.data`, `/world/${P}/entries/${E}.data`],
])('%s is the place %s, whose data differ by what was asked for', (address, own) => {
  expect(place(address)).toEqual({ address: own, projectId: P })
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
