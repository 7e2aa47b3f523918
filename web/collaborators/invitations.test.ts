import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Collaborator } from '#contract/collaborators.ts'
import { invitationLink, isExpired } from './invitations.tsx'
import { invitationAmong } from './manage/mutations.ts'

const NOW = '2026-03-01T12:00:00.000Z'

beforeEach(() => void vi.useFakeTimers({ now: new Date(NOW) }))
afterEach(() => void vi.useRealTimers())

test('the link of an invitation is the origin, /invite/ and the token', () => {
  expect(invitationLink('https://milepost.example', 'abc-_1')).toBe('https://milepost.example/invite/abc-_1')
})

test.each([
  ['pending', '2026-03-01T12:00:00.001Z', false],
  ['pending', NOW, true],
  ['pending', null, false],
  ['accepted', '2026-02-01T00:00:00.000Z', false],
  ['declined', '2026-02-01T00:00:00.000Z', false],
] as const)('an invitation that is %s until %s has expired: %s', (status, expiresAt, expired) => {
  expect(isExpired({ status, expiresAt })).toBe(expired)
})

test('an invitation that was sent is the open one that is new in the list', () => {
  const row = { _id: '1', email: 'Grace@example.test', role: 'viewer', status: 'pending', inviteToken: 'a' }
  const find = (now: object, before: object[]) =>
    invitationAmong([now as Collaborator], { email: 'grace@example.test', role: 'viewer' }, before as never)
  expect(find(row, [])).toBe(row)
  expect(find(row, [row]), 'it was open before').toBeUndefined()
  expect(find(row, [{ ...row, status: 'declined', inviteToken: undefined }])).toBe(row)
  expect(find({ ...row, status: 'declined' }, [])).toBeUndefined()
  expect(find({ ...row, role: 'editor' }, []), 'it is for another role').toBeUndefined()
  expect(find({ ...row, email: 'ada@example.test' }, [])).toBeUndefined()
})
