import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { FailedJobs, Instance, registrationFields } from '#contract/administration.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAdministrator, requireAdministratorForChange } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, refuseStale } from '#server/platform/api/errors.ts'
import { isLow } from '#server/platform/disk.ts'
import { listFailedJobs } from '#server/platform/jobs.ts'
import { transact } from '#server/platform/transact.ts'
import { version } from '#server/version.ts'
import { readFailedDeliveries } from '#server/webhooks/service.ts'
import { recordAudit } from './audit.ts'
import { countAccounts, readLastBackup, saveRegistration, saveText } from './store.ts'

/** Returns the facts and settings of this server for administrators. */
export async function readInstance(deps: AppDeps, caller: Caller): Promise<Instance> {
  await requireAdministrator(deps.db, caller)
  const { db, registration, texts, quotas, sendsMail, identity } = deps
  const [space, lastBackup] = await Promise.all([deps.disk.readSpace(), readLastBackup(db)])
  const { version: registrationVersion, ...rule } = await registration.read(db)
  const { announcement, terms, termsFrom } = await texts.read(db)
  return {
    version,
    registration: rule,
    versions: {
      registration: registrationVersion,
      announcement: announcement.version,
      terms: terms.version,
    },
    ...(await countAccounts(db)),
    storage: await quotas.readTotal(db),
    disk: space ? { ...space, isLow: isLow(space) } : null,
    lastBackupAt: lastBackup?.toISOString() ?? null,
    sendsMail,
    announcement: announcement.text,
    termsFrom,
    hasPasswords: identity.passwords !== undefined,
  }
}

/**
 * Chooses who may register. Throws `stale` if `ifMatch` is outdated, or `conflict` if the operator's setting prescribes
 * another mode.
 */
export async function updateRegistration(
  deps: AppDeps,
  caller: Caller,
  chosen: z.output<typeof registrationFields>,
  ifMatch: number | undefined,
): Promise<Instance> {
  await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    const { from, ...rule } = await deps.registration.read(trx)
    refuseStale(ifMatch, rule)
    if (from === 'settings' && rule.mode !== chosen.mode)
      throw conflict('The setting REGISTRATION of this server says who may register')
    await saveRegistration(trx, chosen)
    await recordAudit(trx, {
      kind: 'registration_changed',
      actorId: caller.userId,
      details: chosen,
      now: deps.clock(),
    })
  })
  deps.registration.invalidate()
  return readInstance(deps, caller)
}

/** Sets the announcement above the pages; null removes it. Throws `stale` if `ifMatch` is outdated. */
export function updateAnnouncement(
  deps: AppDeps,
  caller: Caller,
  text: string | null,
  ifMatch: number | undefined,
): Promise<Instance> {
  return changeText(deps, caller, { name: 'announcement', text, ifMatch }, (trx, now) =>
    saveText(trx, {
      announcement: text,
      announcement_id: text === null ? null : uuidv7({ msecs: now.getTime() }),
    }),
  )
}

/**
 * Sets the terms and conditions; null removes them. Throws `stale` if `ifMatch` is outdated, or `conflict` if the operator's
 * setting contains their URL.
 */
export async function updateTerms(
  deps: AppDeps,
  caller: Caller,
  text: string | null,
  ifMatch: number | undefined,
): Promise<Instance> {
  if (deps.texts.termsUrl !== undefined)
    throw conflict('The setting TERMS_URL of this server says where the terms are')
  return changeText(deps, caller, { name: 'terms', text, ifMatch }, (trx, now) =>
    saveText(trx, { terms: text, terms_changed_at: text === null ? null : now }),
  )
}

type TextChange = { name: 'announcement' | 'terms'; text: string | null; ifMatch: number | undefined }

async function changeText(
  deps: AppDeps,
  caller: Caller,
  { name, text, ifMatch }: TextChange,
  save: (trx: Transaction<Schema>, now: Date) => Promise<void>,
): Promise<Instance> {
  await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    refuseStale(ifMatch, (await deps.texts.read(trx))[name])
    const now = deps.clock()
    await save(trx, now)
    const details = text === null ? { isRemoved: true } : {}
    await recordAudit(trx, { kind: `${name}_changed`, actorId: caller.userId, details, now })
  })
  deps.texts.invalidate()
  return readInstance(deps, caller)
}

/** Returns the failed background jobs, without their payloads. */
export async function readFailedJobs({ db }: Pick<AppDeps, 'db'>, caller: Caller): Promise<FailedJobs[]> {
  await requireAdministrator(db, caller)
  const deliveries = await readFailedDeliveries(db)
  const failed = [...(await listFailedJobs(db)), ...(deliveries ? [deliveries] : [])]
  return failed.map(({ lastTriedAt, ...counts }) => ({ ...counts, lastTriedAt: lastTriedAt.toISOString() }))
}
