import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

test('decisions are numbered one after the other, each once', () => {
  const pages = readdirSync('docs/decisions').toSorted()
  expect(pages.map((page) => Number(page.slice(0, 4)))).toEqual(pages.map((_page, index) => index + 1))
})
