import type { Kysely, Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { FORMER_MEMBER } from '#contract/account.ts'
import {
  AUDIT_DAYS,
  AUDIT_PER_PAGE,
  type AuditDetails,
  type AuditEvent,
  type AuditKind,
} from '#contract/audit-log.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAdministrator } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { readableEmail } from '#server/platform/mail/readable-email.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import {
  type AuditRecord,
  deleteAuditBefore,
  insertAudit,
  listAudit,
  removeEmailFromAudit,
} from './audit-store.ts'
import { deleteInvitationTo } from './invitation-store.ts'

type NewAudit = {
  kind: AuditKind
  /** The administrator; null if nobody was signed in. */
  actorId: string | null
  personId?: string
  email?: string
  details?: AuditDetails
  now: Date
}

/** Records an administrator's action in its transaction. */
export async function recordAudit(trx: Transaction<Schema>, event: NewAudit): Promise<void> {
  const { kind, actorId, personId = null, email = null, details = {}, now } = event
  await insertAudit(trx, {
    id: uuidv7({ msecs: now.getTime() }),
    kind,
    actor_id: actorId,
    person_id: personId,
    email,
    details: JSON.stringify(details),
    created_at: now,
  })
}

/** Returns a page of the audit log, latest first. */
export async function listAuditLog(
  { db }: Pick<AppDeps, 'db'>,
  caller: Caller,
  before: string | undefined,
): Promise<{ events: AuditEvent[]; next: string | null }> {
  await requireAdministrator(db, caller)
  const rows = await listAudit(db, before, AUDIT_PER_PAGE + 1)
  const events = rows.slice(0, AUDIT_PER_PAGE).map(presentEvent)
  return { events, next: rows.length > AUDIT_PER_PAGE ? (events.at(-1)?._id ?? null) : null }
}

function presentEvent(row: AuditRecord): AuditEvent {
  return {
    _id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    actor: row.actor_id === null ? null : { name: nameOf(row.actor_name, row.actor_email) },
    person: row.person_id === null ? null : { name: nameOf(row.person_name, row.person_email) },
    email: row.email && readableEmail(row.email),
    details: row.details,
  }
}

const nameOf = (name: string | null, email: string | null) => name || email || FORMER_MEMBER

/** Removes the email of a deleted account from the log, and deletes the server invitation to it. */
export async function anonymizeAuditLog(trx: Transaction<Schema>, email: string): Promise<void> {
  await deleteInvitationTo(trx, email)
  await removeEmailFromAudit(trx, email)
}

const BATCH = 1_000
const PAUSE_MS = 60 * 60_000

/** Deletes rows that are older than the retention period of the log. */
export async function sweepAuditLog(db: Kysely<Schema>, now: Date): Promise<void> {
  const end = new Date(now.getTime() - AUDIT_DAYS * DAY_MS)
  await deleteInBatches(db, { name: 'audit log sweep', batchSize: BATCH }, (trx) =>
    deleteAuditBefore(trx, end, BATCH),
  )
}

/** Schedules the cleanup of the audit log. */
export const auditSweep = ({ db, clock }: Pick<AppDeps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of what the audit log no longer goes back to',
  everyMs: PAUSE_MS,
  run: () => sweepAuditLog(db, clock()),
})
