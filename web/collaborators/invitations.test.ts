import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { invitationLink, isExpired } from './invitations.tsx'

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
