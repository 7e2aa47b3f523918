import { z } from 'zod'
import { registrationMode } from './identity.ts'
import { defineCalls } from './parts/call.ts'
import { date, id } from './parts/wire.ts'

export const AUDIT_PER_PAGE = 50
/** The retention of the audit log of administrators, in days. */
export const AUDIT_DAYS = 180

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

export const auditLogCalls = defineCalls({
  listAuditLog: {
    method: 'GET',
    path: '/api/admin/audit-log',
    who: 'administrator',
    summary: 'What administrators did in the last 180 days, latest first',
    query: z.object({ before: id.optional() }),
    responses: { 200: z.object({ events: z.array(auditEvent), next: id.nullable() }) },
  },
})
