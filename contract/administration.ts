import { z } from 'zod'
import { defineCalls } from './call.ts'
import { email, registrationMode } from './identity.ts'
import { SEARCH_MAX } from './list-options.ts'
import { line, prose, search } from './text.ts'
import { date, fields, id, ids, version } from './wire.ts'

export const PEOPLE_PER_PAGE = 50
export const AUDIT_PER_PAGE = 50
/** The retention of the audit log of administrators, in days. */
export const AUDIT_DAYS = 180
/** The lifetime of an invitation to this server, in days. */
export const SERVER_INVITATION_DAYS = 7
export const SERVER_INVITATIONS_MAX = 200
const DOMAINS_MAX = 50
const MEGABYTE = 1_000_000
const QUOTA_MAX = 1e15
export const ANNOUNCEMENT_MAX = 300
export const TERMS_MAX = 50_000

/** `awaiting`: not yet approved by an administrator. `leaving`: its owner is deleting it. */
const accountState = z.enum(['active', 'awaiting', 'suspended', 'leaving'])
export type AccountState = z.infer<typeof accountState>

/** An account as administrators see it. */
export const person = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  state: accountState,
  isAdmin: z.boolean(),
  /** Whether two-step sign-in is on. */
  hasTwoFactor: z.boolean(),
  createdAt: date,
  /** When they last signed in or renewed their session, accurate to the hour; null if they never signed in. */
  lastSeenAt: date.nullable(),
  /** The storage that their projects use and their quota, in bytes; `usual` is the default quota of the settings. */
  storage: z.object({ used: z.int(), quota: z.int(), usual: z.int() }),
})
export type Person = z.infer<typeof person>

const peopleFilter = z.enum(['all', 'awaiting', 'suspended', 'administrators'])
export type PeopleFilter = z.infer<typeof peopleFilter>

export const peopleQuery = z.object({
  search: search('Search', SEARCH_MAX),
  filter: peopleFilter.default('all'),
  before: id.optional(),
})

export const peoplePage = z.object({
  people: z.array(person),
  /** The value of `before` for the next page; null on the last. */
  next: id.nullable(),
})

/** The fields of an account that administrators change. Omitted fields are unchanged. */
export const personFields = fields({
  isApproved: z.literal(true).optional(),
  isSuspended: z.boolean().optional(),
  isAdmin: z.boolean().optional(),
  /** The quota of the account, in bytes; null: the default quota. */
  quota: z
    .int({ error: 'The limit must be a whole number of bytes' })
    .min(MEGABYTE, { error: 'The limit must be at least 1 MB' })
    .max(QUOTA_MAX, { error: 'The limit must be at most 1,000 TB' })
    .nullable()
    .optional(),
})

/** An invitation to create an account on this server. */
export const serverInvitation = z.object({
  _id: id,
  email: z.string(),
  createdAt: date,
  expiresAt: date,
  /** The token of the link; null if it was encrypted with a secret that no longer exists. */
  token: z.string().nullable(),
})
export type ServerInvitation = z.infer<typeof serverInvitation>

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

export const registrationFields = fields({
  mode: registrationMode,
  /** The email domains that may register without an invitation. Empty: every domain is allowed. */
  domains: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(253)
        .regex(DOMAIN, { error: 'A domain looks like example.org' })
        .meta({ pattern: undefined }),
    )
    .max(DOMAINS_MAX, { error: `At most ${DOMAINS_MAX} domains` })
    .transform((domains) => [...new Set(domains)]),
})

const announcementText = line('Announcement', ANNOUNCEMENT_MAX).refine(
  (text) => !/[\p{Cc}\u2028\u2029]/u.test(text),
  { message: 'Announcement must be one line' },
)

/** The announcement above the pages, as plain text; null for none. */
export const announcementFields = fields({ text: announcementText.nullable() })

/** Markdown; null for none. */
export const termsFields = fields({ text: prose('Terms', TERMS_MAX).nullable() })

/** The terms and conditions written by administrators, also as HTML. */
const terms = z.object({ text: z.string(), html: z.string(), changedAt: date, version })
export type Terms = z.infer<typeof terms>

/** The result of sending a test email: accepted by the mail server, or the reason why it was not sent. */
const testEmailOutcome = z.enum([
  'sent',
  'unreachable',
  'not_encrypted',
  'login_refused',
  'sender_refused',
  'recipient_refused',
  'refused',
])
export type TestEmailOutcome = z.infer<typeof testEmailOutcome>

/**
 * The jobs of one queue that have failed and not succeeded since; for `webhook-deliveries`, the failed messages of the last days.
 */
const failedJobs = z.object({
  queue: z.string(),
  /** The number that will be retried. */
  waiting: z.int(),
  /** The number that will not be retried. */
  givenUp: z.int(),
  /** For webhooks: the number that were turned off because no delivery succeeded. */
  switchedOff: z.int().optional(),
  lastTriedAt: date,
})
export type FailedJobs = z.infer<typeof failedJobs>

/** This server, as its administrators see it. */
export const instance = z.object({
  version: z.string(),
  /** `settings`: the mode is set by the operator's environment. `unset`: nobody has chosen one, so registration is open. */
  registration: z.object({
    mode: registrationMode,
    from: z.enum(['settings', 'administrators', 'unset']),
    domains: z.array(z.string()),
  }),
  /** The versions for `If-Match` of what administrators change; 1 before the first change. */
  versions: z.object({ registration: version, announcement: version, terms: version }),
  /** The number of accounts that wait for approval. */
  awaiting: z.int(),
  people: z.int(),
  /** The storage used by all accounts, in bytes. */
  storage: z.object({ text: z.int(), files: z.int() }),
  sendsMail: z.boolean(),
  announcement: z.string().nullable(),
  /** The source of the terms. `settings`: the operator's environment sets their URL, and administrators cannot change it. */
  termsFrom: z.enum(['settings', 'administrators', 'unset']),
  /** Whether accounts have passwords here, so that administrators can help to reset them. */
  hasPasswords: z.boolean(),
})
export type Instance = z.infer<typeof instance>

/** The current values in the 412 response to a stale change of the registration, the announcement or the terms. */
export const currentRegistration = z.object({ mode: registrationMode, domains: z.array(z.string()), version })
export const currentText = z.object({ text: z.string().nullable(), version })

const auditKind = z.enum([
  'administrator_made',
  'administrator_unmade',
  'account_approved',
  'account_refused',
  'account_suspended',
  'account_unsuspended',
  'reset_link_made',
  'email_changed',
  'two_factor_turned_off',
  'quota_changed',
  'person_invited',
  'invitation_withdrawn',
  'registration_changed',
  'announcement_changed',
  'terms_changed',
  'test_email_sent',
])
export type AuditKind = z.infer<typeof auditKind>

const auditDetails = z.object({
  /** The cause, if it was no administrator: `npm run admin`, the first account of the server, or a takeover of the account. */
  by: z.enum(['command', 'first_account', 'takeover']).optional(),
  /** `registration_changed`: the new mode. */
  mode: registrationMode.optional(),
  domains: z.array(z.string()).optional(),
  /** `quota_changed`: the new quota of the account, in bytes; null: the default quota. */
  quota: z.int().nullable().optional(),
  /** `announcement_changed`, `terms_changed`: it was removed. */
  isRemoved: z.boolean().optional(),
})
export type AuditDetails = z.infer<typeof auditDetails>

/** An action of an administrator in the audit log. */
export const auditEvent = z.object({
  _id: id,
  kind: auditKind,
  createdAt: date,
  /** The administrator; null if `details.by` states the cause. A deleted account is a former member. */
  actor: z.object({ name: z.string() }).nullable(),
  /** The account concerned. */
  person: z.object({ name: z.string() }).nullable(),
  /** The email of an invitation, until an account with this email is deleted. */
  email: z.string().nullable(),
  details: auditDetails,
})
export type AuditEvent = z.infer<typeof auditEvent>

export const administrationCalls = defineCalls({
  readInstance: {
    method: 'GET',
    path: '/api/admin',
    who: 'administrator',
    summary: 'This server: who may register, what is stored, its version',
    responses: { 200: instance },
  },
  updateRegistration: {
    method: 'PUT',
    path: '/api/admin/registration',
    who: 'administrator',
    summary: 'Choose who may make an account',
    body: registrationFields,
    responses: { 200: instance },
  },
  updateAnnouncement: {
    method: 'PUT',
    path: '/api/admin/announcement',
    who: 'administrator',
    summary:
      'Show a line of text above the pages, to everybody who is signed in or about to, or take it away',
    body: announcementFields,
    responses: { 200: instance },
  },
  updateTerms: {
    method: 'PUT',
    path: '/api/admin/terms',
    who: 'administrator',
    summary: 'Write the terms and conditions of this server, or take them away',
    body: termsFields,
    responses: { 200: instance },
  },
  readTerms: {
    method: 'GET',
    path: '/api/terms',
    who: 'anyone',
    summary: 'The terms and conditions that the administrators of this server have written',
    responses: { 200: terms },
  },
  sendTestEmail: {
    method: 'POST',
    path: '/api/admin/test-email',
    who: 'administrator',
    summary: 'Send an email to oneself, and say whether the mail server took it',
    responses: { 200: z.object({ outcome: testEmailOutcome }) },
  },
  listFailedJobs: {
    method: 'GET',
    path: '/api/admin/failed-jobs',
    who: 'administrator',
    summary: 'How many jobs have failed in each queue, and when; without what they are about',
    responses: { 200: z.array(failedJobs) },
  },
  listPeople: {
    method: 'GET',
    path: '/api/admin/people',
    who: 'administrator',
    summary: 'The accounts of this server, the newest first',
    query: peopleQuery,
    responses: { 200: peoplePage },
  },
  updatePerson: {
    method: 'PUT',
    path: '/api/admin/people/:personId',
    who: 'administrator',
    summary:
      'Approve, suspend or unsuspend an account, make it an administrator or none, or change what it may store',
    params: ids('personId'),
    body: personFields,
    responses: { 200: person },
  },
  refusePerson: {
    method: 'DELETE',
    path: '/api/admin/people/:personId',
    who: 'administrator',
    summary: 'Delete an account that waits for approval',
    params: ids('personId'),
    responses: { 204: null },
  },
  makeResetLink: {
    method: 'POST',
    path: '/api/admin/people/:personId/reset-link',
    who: 'administrator',
    summary: 'Make a link by which somebody chooses a new password within an hour; it is shown once',
    params: ids('personId'),
    responses: { 200: z.object({ token: z.string(), expiresAt: date }) },
  },
  turnOffPersonTwoFactor: {
    method: 'DELETE',
    path: '/api/admin/people/:personId/two-factor',
    who: 'administrator',
    summary:
      'Turn two-step sign-in off for somebody who has lost their second factor, and sign them out everywhere',
    params: ids('personId'),
    responses: { 204: null },
  },
  changePersonEmail: {
    method: 'PUT',
    path: '/api/admin/people/:personId/email',
    who: 'administrator',
    summary: 'Change the email of an account, which nobody has confirmed then, and sign it out everywhere',
    params: ids('personId'),
    body: fields({ email }),
    responses: { 200: person },
  },
  listServerInvitations: {
    method: 'GET',
    path: '/api/admin/invitations',
    who: 'administrator',
    summary: 'The invitations to this server that can still be used, the newest first',
    responses: { 200: z.array(serverInvitation).max(SERVER_INVITATIONS_MAX) },
  },
  inviteToServer: {
    method: 'PUT',
    path: '/api/admin/invitations',
    who: 'administrator',
    summary: 'Invite somebody to make an account; again for the same address, the link is a new one',
    body: fields({ email }),
    responses: { 200: serverInvitation },
  },
  withdrawServerInvitation: {
    method: 'DELETE',
    path: '/api/admin/invitations/:invitationId',
    who: 'administrator',
    summary: 'Withdraw an invitation to this server',
    params: ids('invitationId'),
    responses: { 204: null },
  },
  listAuditLog: {
    method: 'GET',
    path: '/api/admin/audit-log',
    who: 'administrator',
    summary: 'What administrators did in the last 180 days, the latest first',
    query: z.object({ before: id.optional() }),
    responses: { 200: z.object({ events: z.array(auditEvent), next: id.nullable() }) },
  },
})
