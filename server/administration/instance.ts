import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { Instance, registrationFields } from '#contract/administration.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAdministrator, requireAdministratorForChange } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/calls.ts'
import { AppError } from '#server/platform/errors.ts'
import { transact } from '#server/platform/transact.ts'
import { recordAudit } from './audit.ts'
import { countAccounts, saveRegistration } from './store.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** What administrators see of this server. */
export async function readInstance(deps: AppDeps, caller: Caller): Promise<Instance> {
  await requireAdministrator(deps.db, caller)
  const { db, registration, quotas, sendsMail, identity } = deps
  return {
    version,
    registration: await registration.read(db),
    ...(await countAccounts(db)),
    storage: await quotas.readTotal(db),
    sendsMail,
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
