import type { Kysely } from 'kysely'
import type { BaseLogger } from 'pino'
import type { RegistrationMode } from '#contract/identity.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { type CachedSetting, createCachedSetting } from './cached-setting.ts'
import { findRegistration, lacksAdministrator } from './store.ts'

/** Who may create an account without an invitation to a project. */
export type RegistrationRule = {
  mode: RegistrationMode
  /** `unset`: neither the operator nor an administrator has chosen. */
  from: 'settings' | 'administrators' | 'unset'
  domains: string[]
}

/** The rule, and the version of the administrators' choice; 1 if they never chose. */
export type VersionedRule = RegistrationRule & { version: number }

/** The choice of the operator or, without one, of the administrators. */
export type Registration = CachedSetting<RegistrationRule> & {
  /** Returns the current rule, uncached. Registrations are decided by it. */
  read(db: Db): Promise<VersionedRule>
}

export function createRegistration({
  db,
  clock,
  registration: byOperator,
}: {
  db: Db
  clock: () => Date
  /** The operator's setting, which cannot be changed in the browser. */
  registration?: RegistrationMode | undefined
}): Registration {
  async function read(on: Db): Promise<VersionedRule> {
    const chosen = await findRegistration(on)
    const { domains = [], version = 1 } = chosen ?? {}
    if (byOperator !== undefined) return { mode: byOperator, from: 'settings', domains, version }
    return chosen
      ? { mode: chosen.mode, from: 'administrators', domains, version }
      : { mode: 'open', from: 'unset', domains, version }
  }

  return { read, ...createCachedSetting(() => read(db), clock) }
}

/** Logs how the operator of a server without an administrator can appoint one. */
export async function warnWithoutAdministrator(
  db: Kysely<Schema>,
  log: Pick<BaseLogger, 'warn'>,
): Promise<void> {
  if (await lacksAdministrator(db))
    log.warn('this server has no administrator: npm run admin -- EMAIL makes an account one')
}
