import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiError } from '#web/api/api-error.ts'
import { makeRecoveryCodes } from './mutations.ts'

const send = vi.fn<() => Promise<Response>>()

beforeEach(() => vi.stubGlobal('fetch', send))
afterEach(() => {
  vi.unstubAllGlobals()
  send.mockReset()
})

const proof = { currentPassword: 'a long password', code: '23456-789ab' }
const WRONG = 'This code is not right, or was used before. Please try the next one.'

/** Returns the error at the field for the code. */
async function refusalFor(email: string) {
  const issues = [{ path: 'code', message: WRONG }]
  send.mockResolvedValueOnce(Response.json({ code: 'invalid', message: 'Invalid', issues }, { status: 400 }))
  const error: unknown = await makeRecoveryCodes(email, proof).catch((error: unknown) => error)
  return (error as ApiError).issues[0]?.message
}

test('a recovery code that is refused after a lost response may have been replaced, until new ones are shown', async () => {
  expect(await refusalFor('ada@example.test')).toBe(WRONG)
  send.mockRejectedValueOnce(new TypeError('fetch failed'))
  await expect(makeRecoveryCodes('ada@example.test', proof)).rejects.toMatchObject({ code: 'unreachable' })
  expect(await refusalFor('ada@example.test')).toContain('the codes that you have then no longer work')
  expect(await refusalFor('ada@example.test')).toContain('a code from your app does')
  expect(await refusalFor('grace@example.test')).toBe(WRONG)

  send.mockResolvedValueOnce(Response.json({ recoveryCodes: ['cdefg-hjkmn'] }))
  await makeRecoveryCodes('ada@example.test', proof)
  expect(await refusalFor('ada@example.test')).toBe(WRONG)
})
