import { readFileSync } from 'node:fs'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { FailedJobs, Instance, registrationFields } from '#contract/administration.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAdministrator, requireAdministratorForChange } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/calls.ts'
import { AppError } from '#server/platform/errors.ts'
import { listFailedJobs } from '#server/platform/jobs.ts'
import { transact } from '#server/platform/transact.ts'
import { recordAudit } from './audit.ts'
import { countAccounts, saveRegistration, saveTexts } from './store.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** What administrators see of this server. */
export async function readInstance(deps: AppDeps, caller: Caller): Promise<Instance> {
  await requireAdministrator(deps.db, caller)
  const { db, registration, texts, quotas, sendsMail, identity } = deps
  return {
    version,
    registration: await registration.read(db),
    ...(await countAccounts(db)),
    storage: await quotas.readTotal(db),
    sendsMail,
    ...(await texts.read(db)),
    hasPasswords: identity.passwords !== undefined,
  }
}

/** Chooses who may make an account. Throws `conflict` where the operator's setting says another mode. */
export async function updateRegistration(
  deps: AppDeps,
  caller: Caller,
  chosen: z.output<typeof registrationFields>,
): Promise<Instance> {
  await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    const rule = await deps.registration.read(trx)
    if (rule.from === 'settings' && rule.mode !== chosen.mode)
      throw new AppError('conflict', 'The setting REGISTRATION of this server says who may register')
    await saveRegistration(trx, chosen)
    await recordAudit(trx, {
      kind: 'registration_changed',
      actorId: caller.userId,
      details: chosen,
      now: deps.clock(),
    })
  })
  deps.registration.changed()
  return readInstance(deps, caller)
}

/** Shows a line of text above the pages; null takes it away. */
export function updateAnnouncement(deps: AppDeps, caller: Caller, text: string | null): Promise<Instance> {
  const id = text === null ? null : uuidv7({ msecs: deps.clock().getTime() })
  return change(deps, caller, 'announcement_changed', { announcement: text, announcement_id: id })
}

/** Writes the terms and conditions; null takes them away. Throws `conflict` where the operator's setting says where they are. */
export async function updateTerms(deps: AppDeps, caller: Caller, text: string | null): Promise<Instance> {
  if (deps.texts.termsUrl !== undefined)
    throw new AppError('conflict', 'The setting TERMS_URL of this server says where the terms are')
  const changedAt = text === null ? null : deps.clock()
  return change(deps, caller, 'terms_changed', { terms: text, terms_changed_at: changedAt })
}

async function change(
  deps: AppDeps,
  caller: Caller,
  kind: 'announcement_changed' | 'terms_changed',
  changed: Parameters<typeof saveTexts>[1],
): Promise<Instance> {
  await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    await saveTexts(trx, changed)
    const details = Object.values(changed).includes(null) ? { isRemoved: true } : {}
    await recordAudit(trx, { kind, actorId: caller.userId, details, now: deps.clock() })
  })
  deps.texts.changed()
  return readInstance(deps, caller)
}

/** What has failed of the work in the background; the payloads of jobs stay where they are. */
export async function readFailedJobs({ db }: Pick<AppDeps, 'db'>, caller: Caller): Promise<FailedJobs[]> {
  await requireAdministrator(db, caller)
  const failed = await listFailedJobs(db)
  return failed.map(({ lastTriedAt, ...counts }) => ({ ...counts, lastTriedAt: lastTriedAt.toISOString() }))
}
