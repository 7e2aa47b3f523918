import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const pages = readdirSync('docs/decisions').toSorted()

test('decisions are numbered one after the other, each once, as their headings say', () => {
  const numbers = pages.map((page) => Number(page.slice(0, 4)))
  expect(numbers).toEqual(pages.map((_page, index) => index + 1))
  for (const [index, page] of pages.entries())
    expect(readFileSync(`docs/decisions/${page}`, 'utf8')).toMatch(new RegExp(`^# ${index + 1}\\. `))
})
