import { z } from 'zod'
import { email } from './email.ts'
import { defineCalls } from './parts/call.ts'
import { characters, isStorable } from './parts/characters.ts'
import { DATE_FORMATS } from './parts/date-formats.ts'
import { singleLine } from './parts/text.ts'
import { id } from './parts/wire.ts'
import {
  ISSUER_BACK_MAX,
  ISSUER_CALLBACK,
  ISSUER_PROOF,
  ISSUER_START,
  PASSWORD_MAX,
  PASSWORD_MIN,
  signInTexts,
} from './sign-in.ts'

export const NAME_MAX = 100

export const name = singleLine('Name', NAME_MAX)

/** A password as it is typed to sign in. */
export const typedPassword = z
  .string({ error: signInTexts.passwordRequired })
  .min(1, { message: signInTexts.passwordRequired, abort: true })

/** One that may be that of an account. What is longer than any password is a wrong one. */
export const enteredPassword = typedPassword.max(2 * PASSWORD_MAX, { message: signInTexts.incorrectPassword })

/**
 * A new password, exactly as typed, including spaces. Common passwords (`common-passwords.ts`) pass this schema: the form and the
 * provider refuse them with a specific message.
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

/** The six digits of an authenticator app, or a recovery code, with or without spaces and dashes. */
export const secondFactorCode = z
  .string({ error: 'Enter a code' })
  .trim()
  .min(1, { message: 'Enter a code' })
  .max(100, { message: 'This code is too long' })

/** The maximum size of the body of a sign-in call, in bytes. */
export const SIGN_IN_BYTES_MAX = 16_384

/** The token of a link in an email. */
export const linkToken = z.string().min(1).max(200)

/** The token of the link of an invitation to a project or to this server. */
const invitation = z.string().min(1).max(200).optional()

/** Who may create an account without an invitation to a project; people with such an invitation always may. */
export const registrationMode = z.enum(['open', 'approval', 'invitation', 'closed'])
export type RegistrationMode = z.infer<typeof registrationMode>

/** The fields of a new account of the local provider. */
export const signUpFields = z.object({ name, email, password: newPassword, invitation })

/** The fields of a sign-in to the local provider. */
export const signInFields = z.object({ email, password: enteredPassword })

export const dateFormat = z.enum(DATE_FORMATS, { error: 'Choose one of the formats of dates' })

export const user = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  photoURL: z.string().optional(),
  /** Only for administrators of this server. */
  isAdmin: z.literal(true).optional(),
  /** The time zone and the date format of the person; omitted: the browser's default. */
  timeZone: z.string().optional(),
  dateFormat: dateFormat.optional(),
})
export type User = z.infer<typeof user>

/**
 * The fields that the browser sends after signing in at the identity provider. Only `idToken` is trusted: a `firebaseUid` that
 * differs from its subject is refused, and the token's claims are used instead of the other fields.
 */
export const exchangeFields = z.object({
  idToken: z.string().min(1).max(12_288),
  email: z.string().nullish(),
  name: z.string().nullish(),
  photoURL: z.string().nullish(),
  firebaseUid: z.string().nullish(),
  /** Cancels the deletion of an account that is being deleted; without it, such an account is refused with `account_leaving`. */
  keepAccount: z.boolean().optional(),
  /** The invitation that permits a new account if registration is restricted. */
  invitation,
})

/** The public configuration of a Firebase project, as the Firebase console shows it. */
const firebaseOptions = z.object({
  projectId: z.string(),
  apiKey: z.string(),
  authDomain: z.string(),
  appId: z.string().optional(),
})
export type FirebaseOptions = z.infer<typeof firebaseOptions>

/** The sign-in methods of this server: public settings that browsers need. */
export const identityOptions = z.object({
  provider: z.enum(['local', 'firebase']),
  /** Whether people can continue with an issuer: Google, or another one that replaces it. */
  google: z.boolean(),
  /** What people call the issuer; present if `google` is true. */
  issuerName: z.string().optional(),
  /** Whether the issuer is the only sign-in method: there are no passwords, passkeys or second steps. */
  issuerOnly: z.boolean(),
  /** Whether people can sign in with passkeys. */
  passkeys: z.boolean(),
  /** Whether this server sends emails that confirm email addresses and reset passwords. */
  sendsMail: z.boolean(),
  /** The URL of the terms and conditions, if any: the operator's URL, or the path of those written by administrators. */
  termsUrl: z.string().optional(),
  /** The announcement of the administrators, as plain text; a new text has a new id. */
  announcement: z.object({ id, text: z.string() }).optional(),
  /** Present with the provider `firebase`. */
  firebase: firebaseOptions.optional(),
  registration: registrationMode,
  /** The email domains that may register without an invitation; empty: all of them. */
  emailDomains: z.array(z.string()),
})
export type IdentityOptions = z.infer<typeof identityOptions>

export const identityCalls = defineCalls({
  readIdentityOptions: {
    method: 'GET',
    path: '/api/identity',
    who: 'anyone',
    summary: 'How people sign in to this server',
    responses: { 200: identityOptions },
  },
  exchangeToken: {
    method: 'POST',
    path: '/api/users/firebase-auth',
    who: 'anyone',
    summary: "Exchange the identity provider's ID token for an application token",
    body: exchangeFields,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: z.object({ token: z.string(), user }) },
  },
  readMe: {
    method: 'GET',
    path: '/api/users/me',
    who: 'signed-in',
    scope: 'none',
    summary: 'The signed-in person',
    responses: { 200: user },
  },
  signOut: {
    method: 'POST',
    path: '/api/users/sign-out',
    who: 'signed-in',
    scope: 'none',
    summary: 'Revoke the application token',
    responses: { 204: null },
  },
})

/** The random name by which a page recognizes the window that it has opened. */
const popupName = z.string().regex(/^[\w-]{20,60}$/, 'must be a random name')

/**
 * The calls of the local provider, which do not exist if Firebase is the provider. The cookie of the provider's session
 * authorizes them, never an application token. The last two are opened in a separate window and respond with a redirect or an
 * HTML page.
 */
export const localProviderCalls = defineCalls({
  signUpAtProvider: {
    method: 'POST',
    path: '/api/auth/sign-up/email',
    who: 'anyone',
    summary: "Create an account; sets a cookie with the provider's session",
    body: signUpFields,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  signInAtProvider: {
    method: 'POST',
    path: '/api/auth/sign-in/email',
    who: 'anyone',
    summary: "Sign in; sets a cookie with the provider's session",
    body: signInFields,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  finishSignInAtProvider: {
    method: 'POST',
    path: '/api/auth/sign-in/second-factor',
    who: 'anyone',
    summary: "Complete a sign-in that requires a code; sets a cookie with the provider's session",
    body: z.object({ code: secondFactorCode }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  readIdToken: {
    method: 'GET',
    path: '/api/auth/token',
    who: 'anyone',
    summary: "An ID token of the provider's session, to be exchanged for an application token",
    responses: { 200: z.object({ token: z.string() }) },
  },
  signOutAtProvider: {
    method: 'POST',
    path: '/api/auth/sign-out',
    who: 'anyone',
    summary: "End the provider's session and revoke every application token issued from it",
    responses: { 204: null },
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/auth/verify-email',
    who: 'anyone',
    summary: "Verify the email of the provider's session with the token of an emailed link",
    body: z.object({ token: linkToken }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  sendVerificationEmail: {
    method: 'POST',
    path: '/api/auth/send-verification-email',
    who: 'anyone',
    summary: "Email a new verification link to the address of the provider's session",
    responses: { 204: null },
  },
  requestPasswordReset: {
    method: 'POST',
    path: '/api/auth/request-password-reset',
    who: 'anyone',
    summary:
      'Email a link to set a new password if the address has an account; the response does not reveal whether it does',
    body: z.object({ email }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  resetPassword: {
    method: 'POST',
    path: '/api/auth/reset-password',
    who: 'anyone',
    summary: 'Set a new password with the token of an emailed link, and sign out everywhere',
    body: z.object({ token: linkToken, password: newPassword }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  startGoogleSignIn: {
    method: 'GET',
    path: ISSUER_START,
    who: 'anyone',
    summary:
      'Start a sign-in with Google or another issuer in a separate window or, with the page to return to, in the same tab',
    query: z.object({
      window: popupName,
      back: z
        .string()
        .max(ISSUER_BACK_MAX)
        .regex(/^\/(login|register)(\?[\w\-.~%&=+/]*)?$/, 'must be the path of a sign-in page')
        .optional(),
    }),
    responses: {},
  },
  startGoogleProof: {
    method: 'GET',
    path: ISSUER_PROOF,
    who: 'anyone',
    summary: "Prove by the issuer who the person of the provider's session is, like a sign-in",
    query: z.object({
      window: popupName,
      back: z
        .string()
        .max(ISSUER_BACK_MAX)
        .regex(/^\/(?![/\\])[\w\-.~%&=+/?@]*$/, 'must be a path of this server')
        .optional(),
    }),
    responses: {},
  },
  finishGoogleSignIn: {
    method: 'GET',
    path: ISSUER_CALLBACK,
    who: 'anyone',
    summary: 'The callback to which the issuer redirects the window',
    responses: {},
  },
})
