import { z } from 'zod'
import { defineCalls } from './call.ts'
import { characters, isStorable } from './characters.ts'
import { PASSWORD_MAX, PASSWORD_MIN, signInTexts } from './sign-in.ts'
import { line } from './text.ts'
import { id } from './wire.ts'

export const NAME_MAX = 100
export const EMAIL_MAX = 254

export const name = line('Name', NAME_MAX)
export const email = z
  .string({
    error: ({ input }) => (input === undefined ? signInTexts.emailRequired : signInTexts.invalidEmail),
  })
  .trim()
  .min(1, { message: signInTexts.emailRequired, abort: true })
  .max(EMAIL_MAX, { message: signInTexts.invalidEmail, abort: true })
  .pipe(z.email({ message: signInTexts.invalidEmail }))
  .meta({ format: 'email' })

const typedPassword = z
  .string({ error: signInTexts.passwordRequired })
  .min(1, { message: signInTexts.passwordRequired, abort: true })

/**
 * A password that somebody chooses; spaces in it are theirs. A common one (`common-passwords.ts`) has the right shape:
 * the form and the provider refuse it with a sentence of its own.
 */
export const newPassword = typedPassword
  .refine((value) => characters(value) >= PASSWORD_MIN, {
    message: signInTexts.weakPassword,
    abort: true,
  })
  .refine((value) => characters(value) <= PASSWORD_MAX, {
    message: `Password must be at most ${PASSWORD_MAX} characters`,
    abort: true,
  })
  .refine(isStorable, { message: 'Password contains a character that cannot be stored' })
  .meta({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

/** What a body may weigh by which somebody signs in. */
export const SIGN_IN_BYTES_MAX = 16_384

/** What the local provider takes to make an account. */
export const signUpFields = z.object({ name, email, password: newPassword })

/** What the local provider takes to sign in. */
export const signInFields = z.object({ email, password: typedPassword.max(2 * PASSWORD_MAX) })

export const user = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  photoURL: z.string().optional(),
})
export type User = z.infer<typeof user>

/**
 * What the browser sends after the identity provider signed somebody in. Only `idToken` is believed;
 * a `firebaseUid` that differs from its subject is refused, the rest is ignored for the token's claims.
 */
export const exchangeFields = z.object({
  idToken: z.string().min(1).max(12_288),
  email: z.string().nullish(),
  name: z.string().nullish(),
  photoURL: z.string().nullish(),
  firebaseUid: z.string().nullish(),
})

/** The public configuration of a Firebase project, as Firebase's own console shows it. */
const firebaseOptions = z.object({
  projectId: z.string(),
  apiKey: z.string(),
  authDomain: z.string(),
  appId: z.string().optional(),
})
export type FirebaseOptions = z.infer<typeof firebaseOptions>

/** How people sign in to this server: what a browser must know of its settings, and anybody may. */
export const identityOptions = z.object({
  provider: z.enum(['local', 'firebase']),
  /** Whether "Continue with Google" leads anywhere. */
  google: z.boolean(),
  /** With the provider `firebase`. */
  firebase: firebaseOptions.optional(),
})
export type IdentityOptions = z.infer<typeof identityOptions>

export const identityCalls = defineCalls({
  readIdentityOptions: {
    method: 'GET',
    path: '/api/identity',
    who: 'anyone',
    summary: 'How people sign in to this server',
    answers: { 200: identityOptions },
  },
  exchangeToken: {
    method: 'POST',
    path: '/api/users/firebase-auth',
    who: 'anyone',
    summary: "Exchange the identity provider's ID token for an application token",
    body: exchangeFields,
    bodyBytes: SIGN_IN_BYTES_MAX,
    answers: { 200: z.object({ token: z.string(), user }) },
  },
  readMe: {
    method: 'GET',
    path: '/api/users/me',
    who: 'signed-in',
    summary: 'The signed-in person',
    answers: { 200: user },
  },
  signOut: {
    method: 'POST',
    path: '/api/users/sign-out',
    who: 'signed-in',
    summary: 'Revoke the application token',
    answers: { 204: null },
  },
})
