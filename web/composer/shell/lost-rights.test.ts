import { expect, test } from 'vitest'
import { lostRight } from './lost-rights.tsx'

const rights = (canView: boolean, canEdit: boolean, role: 'viewer' | 'editor' | null) => ({
  permissions: { canView, canEdit, role },
  isAbsent: false,
  isKnown: true,
})

test.each([
  ['an editor', rights(true, true, 'editor'), null],
  ['an owner, who has no role', rights(true, true, null), null],
  ['a viewer', rights(true, false, 'viewer'), 'viewer'],
  ['a former member', rights(false, false, null), 'not a member'],
  ['a former member of a public project', rights(true, false, null), 'not a member'],
  ['a deleted project', { ...rights(false, false, null), isAbsent: true }, 'not a member'],
  ['rights that could not be fetched', { ...rights(false, false, null), isKnown: false }, null],
] as const)('%s', (_who, given, expected) => {
  expect(lostRight(given)).toBe(expected)
})
