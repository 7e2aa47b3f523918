import type { Kysely } from 'kysely'
import type { BaseLogger } from 'pino'
import type { RegistrationMode } from '#contract/identity.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { type CachedSetting, createCachedSetting } from './cached-setting.ts'
import { findRegistration, lacksAdministrator } from './store.ts'

/** Who may make an account without an invitation to a project. */
export type RegistrationRule = {
  mode: RegistrationMode
  /** `unset`: nobody has chosen. */
  from: 'settings' | 'administrators' | 'unset'
  domains: string[]
}

/** The rule, and the version of what administrators have chosen; 1 where none ever has. */
export type VersionedRule = RegistrationRule & { version: number }

/** What the operator or else the administrators have chosen. */
export type Registration = CachedSetting<RegistrationRule> & {
  /** As it holds now, which is what admission goes by. */
  read(db: Db): Promise<VersionedRule>
}

export function createRegistration({
  db,
  clock,
  registration: byOperator,
}: {
  db: Db
  clock: () => Date
  /** The setting of the operator, which nobody can change in the browser. */
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

/** Says in the log what the operator of a server without an administrator can do. */
export async function warnWithoutAdministrator(
  db: Kysely<Schema>,
  log: Pick<BaseLogger, 'warn'>,
): Promise<void> {
  if (await lacksAdministrator(db))
    log.warn('this server has no administrator: npm run admin -- EMAIL makes an account one')
}
