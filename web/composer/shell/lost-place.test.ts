import { expect, test } from 'vitest'
import { isDeleted, lostRight } from './lost-place.tsx'

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

const list = { milestones: [{ _id: 'hull' }], isPending: false, isError: false, isFetching: false }

test.each([
  ['in the list', 'hull', list, false],
  ['not in the list', 'deck', list, true],
  ['of a list that is not fetched yet', 'deck', { ...list, isPending: true, milestones: [] }, false],
  ['of a list that could not be fetched', 'deck', { ...list, isError: true, milestones: [] }, false],
  ['that was just created, while the list is fetched again', 'deck', { ...list, isFetching: true }, false],
])('a milestone %s', (_which, milestoneId, given, expected) => {
  expect(isDeleted(milestoneId, given)).toBe(expected)
})
