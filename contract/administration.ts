import { z } from 'zod'
import { defineCalls } from './call.ts'
import { email, registrationMode } from './identity.ts'
import { SEARCH_MAX } from './list-options.ts'
import { line, prose, search } from './text.ts'
import { date, fields, id, ids, version } from './wire.ts'

export const PEOPLE_PER_PAGE = 50
export const AUDIT_PER_PAGE = 50
/** How many days the log of what administrators did goes back. */
export const AUDIT_DAYS = 180
/** How long an invitation to this server can be used. */
export const SERVER_INVITATION_DAYS = 7
export const SERVER_INVITATIONS_MAX = 200
const DOMAINS_MAX = 50
const MEGABYTE = 1_000_000
const QUOTA_MAX = 1e15
export const ANNOUNCEMENT_MAX = 300
export const TERMS_MAX = 50_000

/** `awaiting`: until an administrator approves it. `leaving`: its owner is deleting it. */
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
  /** Whether signing in to it takes two steps. */
  hasTwoFactor: z.boolean(),
  createdAt: date,
  /** When they last signed in or renewed their session, to the hour; null for somebody who never could. */
  lastSeenAt: date.nullable(),
  /** What their projects take up, and may, in bytes; `usual`: what the setting lets accounts store. */
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
  /** What to send as `before` for the page after this one; null after the last. */
  next: id.nullable(),
})

/** The fields of an account that administrators change. Omitted fields are unchanged. */
export const personFields = fields({
  isApproved: z.literal(true).optional(),
  isSuspended: z.boolean().optional(),
  isAdmin: z.boolean().optional(),
  /** What the account may store, in bytes; null: as much as others. */
  quota: z
    .int({ error: 'The limit must be a whole number of bytes' })
    .min(MEGABYTE, { error: 'The limit must be at least 1 MB' })
    .max(QUOTA_MAX, { error: 'The limit must be at most 1,000 TB' })
    .nullable()
    .optional(),
})

/** An invitation to make an account on this server. */
export const serverInvitation = z.object({
  _id: id,
  email: z.string(),
  createdAt: date,
  expiresAt: date,
  /** What the link carries; null where it was encrypted with a secret that is gone. */
  token: z.string().nullable(),
})
export type ServerInvitation = z.infer<typeof serverInvitation>

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

export const registrationFields = fields({
  mode: registrationMode,
  /** An account without an invitation needs an email of one of these domains. Empty: every domain is allowed. */
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

/** The terms and conditions that administrators have written, also as HTML. */
const terms = z.object({ text: z.string(), html: z.string(), changedAt: date, version })
export type Terms = z.infer<typeof terms>

/** Why a test email was not sent, or that the mail server took it. */
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
 * The jobs of one queue that have failed and not succeeded since; those of `webhook-deliveries` are messages of the last
 * days to webhooks.
 */
const failedJobs = z.object({
  queue: z.string(),
  /** Those that will be tried again. */
  waiting: z.int(),
  /** Those that will not. */
  givenUp: z.int(),
  /** Of webhooks: how many are off because nothing arrived. */
  switchedOff: z.int().optional(),
  lastTriedAt: date,
})
export type FailedJobs = z.infer<typeof failedJobs>

/** This server, as its administrators see it. */
export const instance = z.object({
  version: z.string(),
  /** `settings`: the operator's environment says the mode. `unset`: nobody has chosen yet, so it is open. */
  registration: z.object({
    mode: registrationMode,
    from: z.enum(['settings', 'administrators', 'unset']),
    domains: z.array(z.string()),
  }),
  /** Of what administrators change with `If-Match`; 1 where none ever has. */
  versions: z.object({ registration: version, announcement: version, terms: version }),
  /** How many accounts wait for approval. */
  awaiting: z.int(),
  people: z.int(),
  /** What all accounts store, in bytes. */
  storage: z.object({ text: z.int(), files: z.int() }),
  sendsMail: z.boolean(),
  announcement: z.string().nullable(),
  /** Where the terms come from. `settings`: the operator's environment says where they are, and administrators cannot. */
  termsFrom: z.enum(['settings', 'administrators', 'unset']),
  /** Whether accounts have passwords here, which administrators can help to reset. */
  hasPasswords: z.boolean(),
})
export type Instance = z.infer<typeof instance>

/** What a change of who may register, of the announcement or of the terms is refused with where it is stale. */
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
  /** Where no administrator did it: by `npm run admin`, as the first account, or because the account was taken over. */
  by: z.enum(['command', 'first_account', 'takeover']).optional(),
  /** `registration_changed`: what has held since. */
  mode: registrationMode.optional(),
  domains: z.array(z.string()).optional(),
  /** `quota_changed`: what the account may store since, in bytes; null: as much as others. */
  quota: z.int().nullable().optional(),
  /** `announcement_changed`, `terms_changed`: there is none any more. */
  isRemoved: z.boolean().optional(),
})
export type AuditDetails = z.infer<typeof auditDetails>

/** Something that an administrator did. */
export const auditEvent = z.object({
  _id: id,
  kind: auditKind,
  createdAt: date,
  /** Who did it; null where `details.by` says it. A deleted account is a former member. */
  actor: z.object({ name: z.string() }).nullable(),
  /** The account that it was done to. */
  person: z.object({ name: z.string() }).nullable(),
  /** The email of an invitation, until an account with it is deleted. */
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
