import { z } from 'zod'
import { SIGN_IN_BYTES_MAX, secondFactorCode } from './identity.ts'
import { defineCalls } from './parts/call.ts'

/** The number of recovery codes that are created together; each is accepted once. */
export const RECOVERY_CODES = 10

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()).length(RECOVERY_CODES) })

/** The calls that turn two-step sign-in on and off for the caller's account. */
export const twoFactorCalls = defineCalls({
  beginTwoFactor: {
    method: 'POST',
    path: '/api/account/two-factor',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary:
      'Get a secret for an authenticator app; two-step sign-in is on once a code from the app is confirmed',
    responses: { 200: z.object({ secret: z.string(), url: z.string() }) },
  },
  turnOnTwoFactor: {
    method: 'PUT',
    path: '/api/account/two-factor',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary:
      'Turn two-step sign-in on with a code from the app, and sign out everywhere else; returns recovery codes',
    body: z.object({ code: secondFactorCode }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: recoveryCodes },
  },
  turnOffTwoFactor: {
    method: 'POST',
    path: '/api/account/two-factor/removal',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Turn two-step sign-in off, and sign out everywhere else',
    responses: { 204: null },
  },
  makeRecoveryCodes: {
    method: 'POST',
    path: '/api/account/two-factor/recovery-codes',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Create new recovery codes, which replace the remaining ones',
    responses: { 200: recoveryCodes },
  },
})
