import { expect, test } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { isRestored } from './queries.ts'

const text = {
  title: 'Rye',
  content: 'It rose.',
  tags: ['bread'],
  happenedAt: '2026-03-01T12:00:00.000Z',
  happenedZone: 'Europe/Oslo',
}

test('an entry counts as restored if a later version has the content of the revision', () => {
  const entry = { ...text, version: 3 } as Entry
  expect(isRestored(entry, text, 2)).toBe(true)
  expect(isRestored(entry, text, 3), 'nothing was saved since').toBe(false)
  expect(isRestored({ ...entry, content: 'It fell.' }, text, 2), 'somebody else has saved').toBe(false)
  expect(isRestored({ ...entry, tags: [] }, text, 2)).toBe(false)
})
