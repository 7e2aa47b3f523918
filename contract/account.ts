import { z } from 'zod'
import { EMAIL_MAX, email } from './email.ts'
import {
  dateFormat,
  enteredPassword,
  linkToken,
  name,
  newPassword,
  SIGN_IN_BYTES_MAX,
  user,
} from './identity.ts'
import { emailedNotification, notificationPreferences, notificationType } from './notifications.ts'
import { defineCalls } from './parts/call.ts'
import { zone } from './parts/dates.ts'
import { date, fields, id, ids } from './parts/wire.ts'

/** The email addresses that have not confirmed a change of the email yet. */
const unconfirmed = z.array(z.enum(['current', 'new']))

/** The caller's own account, with the data of the settings screen. */
export const account = user.extend({
  emailVerified: z.boolean(),
  /** A pending change of the email, which takes effect once all addresses have confirmed it. */
  emailChange: z.object({ email: z.string(), unconfirmed }).optional(),
  /**
   * Whether the account has a password here. `elsewhere`: the hosted identity provider has it; `off`: people sign in only
   * through an issuer.
   */
  password: z.enum(['set', 'none', 'elsewhere', 'off']),
  /** Present if two-step sign-in is on; `recoveryCodes` is the number of codes left. */
  twoFactor: z.object({ since: date, recoveryCodes: z.int() }).optional(),
  notifications: notificationPreferences,
  /**
   * The storage that the account's projects use, whoever added to them, including the profile picture, and its quota, in bytes.
   */
  storage: z.object({ used: z.int(), quota: z.int() }),
})
export type Account = z.infer<typeof account>

/** The fields of the account that its owner changes. */
export const accountFields = z.object({ name })

/** The date settings of a person. Omitted fields are unchanged; null is the browser's default. */
export const dateFields = fields({
  timeZone: zone.nullish(),
  dateFormat: dateFormat.nullish(),
})

const kinds = <const Kind extends string>(kind: z.ZodType<Kind>) =>
  z
    .array(kind)
    .max(notificationType.options.length)
    .transform((sent) => [...new Set(sent)])

const NEWS_HOUR = 'newsHour must be an hour from 0 to 23, or null'

/**
 * A change of the notification settings of a person: the kinds to turn off, in Milepost and by email, and those to turn on again.
 * Others are unchanged.
 */
export const notificationFields = fields({
  muted: kinds(notificationType).optional(),
  unmuted: kinds(notificationType).optional(),
  mutedEmails: kinds(emailedNotification).optional(),
  unmutedEmails: kinds(emailedNotification).optional(),
  newsHour: z.int({ error: NEWS_HOUR }).min(0, { error: NEWS_HOUR }).max(23, { error: NEWS_HOUR }).nullish(),
  emailsMentions: z.boolean({ error: 'emailsMentions must be true or false' }).optional(),
})

/** A picture, as a file of a multipart form. */
const pictureForm = fields({
  image: z.file({ error: 'A picture must be sent as a file of a form' }).optional(),
})

export const passwordFields = z.object({
  currentPassword: enteredPassword,
  newPassword,
})

export const emailFields = z.object({ email, currentPassword: enteredPassword })

/** A browser or program in which the caller is signed in. */
export const session = z.object({
  _id: id,
  /** The browser and system by its user agent, such as `Firefox on Linux`. */
  device: z.string(),
  createdAt: date,
  /** When the browser last renewed its token, accurate to the hour. */
  lastUsedAt: date,
  isCurrent: z.boolean(),
})
export type Session = z.infer<typeof session>

/** The maximum number of listed sessions, the most recently used first. */
export const SESSIONS_LISTED = 100

/** The days between a request to delete an account and its deletion, during which the owner may cancel it. */
export const LEAVING_DAYS = 7

/** The name that replaces the author's in other people's projects after their account is deleted. */
export const FORMER_MEMBER = 'Former member'

/** The owner types the email of the account, so that it is not deleted by mistake. */
export const deletionFields = z.object({
  email: z.string({ error: 'Enter the email address of your account' }).trim().max(EMAIL_MAX),
})

/** A project with other members, who would lose it together with its owner's account. */
export const sharedProject = z.object({
  _id: id,
  title: z.string(),
  /** The members who can become its owner, by their ids as collaborators. */
  members: z.array(z.object({ _id: id, name: z.string() })),
})
export type SharedProject = z.infer<typeof sharedProject>

/** The consequences of deleting the caller's account. */
export const deletionPreview = z.object({
  /** The number of projects that are deleted with it: those that the caller owns. */
  projects: z.int(),
  /** The ones that must be transferred or deleted first. */
  shared: z.array(sharedProject),
})
export type DeletionPreview = z.infer<typeof deletionPreview>

export const accountCalls = defineCalls({
  readAccount: {
    method: 'GET',
    path: '/api/account',
    who: 'signed-in',
    scope: 'none',
    summary: 'My account',
    responses: { 200: account },
  },
  updateAccount: {
    method: 'PUT',
    path: '/api/account',
    who: 'signed-in',
    scope: 'none',
    summary: 'Change my name',
    body: accountFields,
    responses: { 200: account },
  },
  updateNotificationPreferences: {
    method: 'PUT',
    path: '/api/account/notifications',
    who: 'signed-in',
    scope: 'none',
    summary: 'Choose which notifications and emails I get',
    body: notificationFields,
    responses: { 200: account },
  },
  updateDatePreferences: {
    method: 'PUT',
    path: '/api/account/dates',
    who: 'signed-in',
    scope: 'none',
    summary: 'Set my time zone and date format',
    body: dateFields,
    responses: { 200: account },
  },
  updatePicture: {
    method: 'PUT',
    path: '/api/account/picture',
    who: 'signed-in',
    scope: 'none',
    summary: 'Set my profile picture: the square in the middle of a JPEG, PNG or WebP',
    body: pictureForm,
    multipart: true,
    responses: { 200: account },
  },
  removePicture: {
    method: 'DELETE',
    path: '/api/account/picture',
    who: 'signed-in',
    scope: 'none',
    summary: 'Remove my profile picture',
    responses: { 204: null },
  },
  changePassword: {
    method: 'PUT',
    path: '/api/account/password',
    who: 'signed-in',
    scope: 'none',
    summary: 'Change my password, and sign out everywhere else',
    body: passwordFields,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  changeEmail: {
    method: 'PUT',
    path: '/api/account/email',
    who: 'signed-in',
    scope: 'none',
    summary:
      'Request a change of my email, which takes effect once the addresses concerned have confirmed it',
    body: emailFields,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: account },
  },
  cancelEmailChange: {
    method: 'DELETE',
    path: '/api/account/email',
    who: 'signed-in',
    scope: 'none',
    summary: 'Cancel the pending change of my email',
    responses: { 204: null },
  },
  confirmEmailChange: {
    method: 'POST',
    path: '/api/account/email/confirmation',
    who: 'signed-in',
    scope: 'none',
    summary: 'Confirm a change of my email with the token of an emailed link, and sign out everywhere else',
    body: z.object({ token: linkToken }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: z.object({ email: z.string(), unconfirmed }) },
  },
  refuseEmailChange: {
    method: 'POST',
    path: '/api/account/email/refusal',
    who: 'anyone',
    summary: 'Cancel a change of an email with the token of an emailed link',
    body: z.object({ token: linkToken }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  previewDeletion: {
    method: 'GET',
    path: '/api/account/deletion',
    who: 'signed-in',
    scope: 'none',
    summary: 'The consequences of deleting my account',
    responses: { 200: deletionPreview },
  },
  deleteAccount: {
    method: 'POST',
    path: '/api/account/deletion',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary:
      'Delete my account in seven days, and sign out everywhere; signing in before then offers to keep it',
    body: deletionFields,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: z.object({ deletesAt: date }) },
  },
  listSessions: {
    method: 'GET',
    path: '/api/account/sessions',
    who: 'signed-in',
    scope: 'none',
    summary: 'My sessions, most recently used first',
    responses: { 200: z.array(session).max(SESSIONS_LISTED) },
  },
  endSession: {
    method: 'DELETE',
    path: '/api/account/sessions/:sessionId',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Sign out one of my sessions',
    params: ids('sessionId'),
    responses: { 204: null },
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/api/account/sessions',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Sign out everywhere else',
    responses: { 204: null },
  },
})
