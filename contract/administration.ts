import { z } from 'zod'
import { asciiDomain } from './email.ts'
import { registrationMode } from './identity.ts'
import { defineCalls } from './parts/call.ts'
import { line, prose } from './parts/text.ts'
import { date, fields, version } from './parts/wire.ts'

const DOMAINS_MAX = 50
export const ANNOUNCEMENT_MAX = 300
export const TERMS_MAX = 50_000

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
        .overwrite(asciiDomain)
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
  'relay_refused',
  'recipient_refused',
  'try_later',
  'refused',
])
export type TestEmailOutcome = z.infer<typeof testEmailOutcome>

/** A queue of durable jobs. Names from earlier releases remain, so that the jobs of an upgraded server run. */
export type JobQueue =
  | 'access-token-emails'
  | 'approval-emails'
  | 'confirmation-letters'
  | 'email-change-emails'
  | 'email-change-notices'
  | 'entry-renderings'
  | 'follower-emails'
  | 'invitation-letters'
  | 'leaving-emails'
  | 'new-sign-in-emails'
  | 'news-emails'
  | 'passkey-notices'
  | 'password-notices'
  | 'password-reset-emails'
  | 'server-invitation-emails'
  | 'two-factor-notices'

/**
 * The jobs of one queue that have failed and not succeeded since; for `webhook-deliveries`, the failed messages of the last days.
 */
const failedJobs = z.object({
  /** A `JobQueue`, also of another release, or `webhook-deliveries`. */
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
  /** The space of the disk with the data directory, in bytes; null if nothing is stored there. `isLow`: administrators should act. */
  disk: z.object({ free: z.int(), total: z.int(), isLow: z.boolean() }).nullable(),
  /** When `npm run backup` last wrote a whole backup; null if never. */
  lastBackupAt: date.nullable(),
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

export const administrationCalls = defineCalls({
  readInstance: {
    method: 'GET',
    path: '/api/admin',
    who: 'administrator',
    summary: 'The version, registration policy and storage of this server',
    responses: { 200: instance },
  },
  updateRegistration: {
    method: 'PUT',
    path: '/api/admin/registration',
    who: 'administrator',
    summary: 'Set who may create an account',
    body: registrationFields,
    responses: { 200: instance },
  },
  updateAnnouncement: {
    method: 'PUT',
    path: '/api/admin/announcement',
    who: 'administrator',
    summary: 'Set or remove the announcement above the pages, for people who are signed in or are signing in',
    body: announcementFields,
    responses: { 200: instance },
  },
  updateTerms: {
    method: 'PUT',
    path: '/api/admin/terms',
    who: 'administrator',
    summary: 'Set or remove the terms and conditions of this server',
    body: termsFields,
    responses: { 200: instance },
  },
  readTerms: {
    method: 'GET',
    path: '/api/terms',
    who: 'anyone',
    summary: 'The terms and conditions of this server, as its administrators wrote them',
    responses: { 200: terms },
  },
  sendTestEmail: {
    method: 'POST',
    path: '/api/admin/test-email',
    who: 'administrator',
    summary: 'Send a test email to myself; returns whether the mail server accepted it',
    responses: { 200: z.object({ outcome: testEmailOutcome }) },
  },
  listFailedJobs: {
    method: 'GET',
    path: '/api/admin/failed-jobs',
    who: 'administrator',
    summary:
      'The number of failed jobs in each queue and the time of the last attempt, without their contents',
    responses: { 200: z.array(failedJobs) },
  },
})
