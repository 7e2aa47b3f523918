import type { Transaction } from 'kysely'
import type { BaseLogger } from 'pino'
import type { Db, Schema } from '#server/database/rows.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { QuotaSettings } from './settings.ts'
import { findUsage, sumUsage } from './store.ts'

/** How long the sum over all accounts is used, with what this process adds to it, before it is read again. */
const SUM_MS = 10_000

/** What all accounts store together, in bytes. */
type Total = { text: number; files: number }

type Person = { userId: string }

/** Limits what people store. Everything under a project counts towards its owner's quota, no matter who wrote it. */
export type Quotas = {
  /** Throws `quota_exceeded` where nothing more can be added to a project; for what is costly to take in. */
  requireRoom(db: Db, caller: Person, projectId: string): Promise<void>
  /**
   * Throws `quota_exceeded` where a transaction has made a project larger than the `before` bytes that it found there,
   * and its owner's account or the instance is over its quota now. Triggers have raised the owner's usage, so their row
   * is locked: of several writers in projects of one owner each one sees what the earlier ones added.
   */
  requireWithin(trx: Transaction<Schema>, caller: Person, projectId: string, before: number): Promise<void>
  /** What all accounts store now. */
  readTotal(db: Db): Promise<Total>
}

export function createQuotas({
  accountQuota,
  instanceQuota,
  clock,
}: QuotaSettings & { clock: () => Date }): Quotas {
  let sum: { bytes: number; readAt: number } | undefined

  /** Whether the instance has room for `more` bytes, of which a transaction may have `written` some already. */
  async function hasRoom(db: Db, more: number, written: number) {
    if (instanceQuota === undefined) return true
    const now = clock().getTime()
    if (!sum || Math.abs(now - sum.readAt) > SUM_MS) {
      const { text, files } = await sumUsage(db)
      sum = { bytes: text + files - written, readAt: now }
    }
    return sum.bytes + more <= instanceQuota
  }

  return {
    async requireRoom(db, caller, projectId) {
      const usage = await findUsage(db, projectId)
      if (usage && usage.ownerBytes >= accountQuota)
        throw accountFull(usage.ownerId === caller.userId, accountQuota)
      if (!(await hasRoom(db, 1, 0))) throw instanceFull()
    },

    async requireWithin(trx, caller, projectId, before) {
      const usage = await findUsage(trx, projectId)
      if (!usage || usage.projectBytes <= before) return
      if (usage.ownerBytes > accountQuota) throw accountFull(usage.ownerId === caller.userId, accountQuota)
      const growth = usage.projectBytes - before
      if (!(await hasRoom(trx, growth, growth))) throw instanceFull()
      if (sum) sum.bytes += growth
    },

    readTotal: sumUsage,
  }
}

function accountFull(isOwner: boolean, quota: number): AppError {
  const size = quota < 1e9 ? `${quota / 1e6} MB` : `${quota / 1e9} GB`
  const message = isOwner
    ? `Your projects fill the ${size} that an account may store here. Delete what you no longer need, or ask the operator of this server for more.`
    : `The projects of this project’s owner fill the ${size} that an account may store here. Ask the owner to make room.`
  return new AppError('quota_exceeded', message)
}

const instanceFull = () =>
  new AppError('quota_exceeded', 'This server has no room left for more. Please tell its operator.')

/** Adds gauges of what all accounts store. If the database does not respond, the other metrics are still served. */
export function measureStorage(
  metrics: Metrics,
  { db, quotas, log }: { db: Db; quotas: Quotas; log: BaseLogger },
): void {
  const reading = (kind: keyof Total) => async () => {
    try {
      return (await quotas.readTotal(db))[kind]
    } catch (error) {
      log.warn({ err: error }, 'the storage in use could not be measured')
      return Number.NaN
    }
  }
  metrics.reads('milepost_stored_text_bytes', 'Text that all accounts store', reading('text'))
  metrics.reads('milepost_stored_file_bytes', 'Images that all accounts store', reading('files'))
}
