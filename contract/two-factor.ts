import { z } from 'zod'
import { SIGN_IN_BYTES_MAX, secondFactorCode, typedPassword } from './identity.ts'
import { defineCalls } from './parts/call.ts'
import { PASSWORD_MAX } from './sign-in.ts'

/** The number of recovery codes that are created together; each is accepted once. */
export const RECOVERY_CODES = 10

const currentPassword = typedPassword.max(2 * PASSWORD_MAX)

/** The proof of the owner of an account: the password and a code of the second factor. */
const proof = z.object({ currentPassword, code: secondFactorCode })

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()).length(RECOVERY_CODES) })

/** The calls that turn two-step sign-in on and off for the caller's account. */
export const twoFactorCalls = defineCalls({
  beginTwoFactor: {
    method: 'POST',
    path: '/api/account/two-factor',
    who: 'signed-in',
    scope: 'none',
    summary:
      'Get a secret for an authenticator app; two-step sign-in is on once a code from the app is confirmed',
    body: z.object({ currentPassword }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: z.object({ secret: z.string(), url: z.string() }) },
  },
  turnOnTwoFactor: {
    method: 'PUT',
    path: '/api/account/two-factor',
    who: 'signed-in',
    scope: 'none',
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
    summary: 'Turn two-step sign-in off, and sign out everywhere else',
    body: proof,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  makeRecoveryCodes: {
    method: 'POST',
    path: '/api/account/two-factor/recovery-codes',
    who: 'signed-in',
    scope: 'none',
    summary: 'Create new recovery codes, which replace the remaining ones',
    body: proof,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: recoveryCodes },
  },
})
