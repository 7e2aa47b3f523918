import { expect, test } from 'vitest'
import type { ShareLink } from '#contract/shares.ts'
import { removalDetail } from './removal-detail.ts'

const link = (expiresAt: string | null) => ({ expiresAt }) as ShareLink
const NOW = Date.parse('2026-11-30T12:00:00Z')

test('whoever removes an admin reads how many private links stay open, without those that have ended', () => {
  expect(removalDetail(false, [link(null), link('2026-11-30T11:00:00Z')], NOW)).toMatch(/^A private link/)
  expect(removalDetail(false, [link(null), link('2026-12-01T00:00:00Z')], NOW)).toMatch(/^2 private links/)
})

test('nothing is said where no link is open, and to oneself that access is lost', () => {
  expect(removalDetail(false, [link('2026-11-01T00:00:00Z')], NOW)).toBe('')
  expect(removalDetail(true, undefined, NOW)).toBe('That is you: you will lose access to this project.')
})
