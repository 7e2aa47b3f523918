import type { Kysely } from 'kysely'
import type { BaseLogger } from 'pino'
import type { RegistrationMode } from '#contract/identity.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { findRegistration, lacksAdministrator } from './store.ts'

/** How old the rule may be that pages show. Admission always reads it from the database. */
const SHOWN_MS = 5_000

/** Who may make an account without an invitation to a project. */
export type RegistrationRule = {
  mode: RegistrationMode
  /** `unset`: nobody has chosen. */
  from: 'settings' | 'administrators' | 'unset'
  domains: string[]
}

/** What the operator or else the administrators have chosen. */
export type Registration = {
  read(db: Db): Promise<RegistrationRule>
  /** As pages show it: up to five seconds old. */
  shown(): Promise<RegistrationRule>
  /** Has this process show a new choice at once. */
  changed(): void
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
  let shown: { rule: Promise<RegistrationRule>; until: number } | undefined

  async function read(on: Db): Promise<RegistrationRule> {
    const chosen = await findRegistration(on)
    const domains = chosen?.domains ?? []
    if (byOperator !== undefined) return { mode: byOperator, from: 'settings', domains }
    return chosen
      ? { mode: chosen.mode, from: 'administrators', domains }
      : { mode: 'open', from: 'unset', domains }
  }

  return {
    read,
    async shown() {
      const now = clock().getTime()
      if (shown && Math.abs(now - shown.until) <= SHOWN_MS && now < shown.until) return shown.rule
      const before = shown?.rule
      // While the database is away, pages go on showing what held before.
      const rule = before ? read(db).catch(() => before) : read(db)
      shown = { rule, until: now + SHOWN_MS }
      rule.catch(() => {
        shown = undefined
      })
      return rule
    },
    changed() {
      shown = undefined
    },
  }
}

/** Says in the log what the operator of a server without an administrator can do. */
export async function warnWithoutAdministrator(
  db: Kysely<Schema>,
  log: Pick<BaseLogger, 'warn'>,
): Promise<void> {
  if (await lacksAdministrator(db))
    log.warn('this server has no administrator: npm run admin -- EMAIL makes an account one')
}
