import type { Transaction } from 'kysely'
import type { BaseLogger } from 'pino'
import { limitText } from '#contract/parts/sizes.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { AppError, conflict } from '#server/platform/api/errors.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { QuotaSettings } from './settings.ts'
import { countMilestones, countProjects, findAccountUsage, findUsage, sumUsage, type Usage } from './store.ts'

export { type Usage, usagePart } from './store.ts'

/** How long the sum of all accounts is reused, with what this process adds, before it is read again. */
const SUM_MS = 10_000

/** The storage of all accounts together, in bytes. */
type Total = { text: number; files: number }

type Person = { userId: string }

/** Limits storage. Everything in a project counts towards its owner's quota, no matter who wrote it. */
export type Quotas = {
  /** The default quota of an account, in bytes. */
  accountQuota: number
  /** Throws `quota_exceeded` if the quota of a project is full. Call it before expensive work. */
  requireRoom(db: Db, caller: Person, projectId: string): Promise<void>
  /**
   * Throws `quota_exceeded` if a transaction has enlarged a project beyond the `before` bytes that it had, and its owner's
   * account or the instance now exceeds its quota. Reading the usage counts the change and locks the owner's row: each
   * concurrent writer in an owner's projects therefore sees what the earlier ones added. `usage`: what was read after the change.
   */
  requireWithin(
    trx: Transaction<Schema>,
    caller: Person,
    projectId: string,
    before: number,
    usage?: Usage,
  ): Promise<void>
  /** The same for `growth` bytes that a transaction has stored for a person outside of projects. */
  requireAccountWithin(trx: Transaction<Schema>, caller: Person, growth: number): Promise<void>
  /** Throws `quota_exceeded` if the instance has no room for some bytes that no account stores, such as archives to import. */
  requireInstanceRoom(db: Db, bytes: number): Promise<void>
  /** Throws `conflict` if a project has as many milestones as one may have. Its row is locked. */
  requireMilestone(trx: Transaction<Schema>, projectId: string): Promise<void>
  /** Throws `conflict` if a person owns as many projects as one may. */
  requireProject(trx: Transaction<Schema>, person: Person): Promise<void>
  /**
   * Returns by how many bytes the account of a project's owner, or the instance, exceeds its quota, and the storage in use, which may be
   * `known`.
   */
  excess(db: Db, projectId: string, known?: Usage): Promise<{ bytes: number; usage: Usage | undefined }>
  /** Returns whether the account of a project's owner exceeds its quota, with what the transaction has changed. */
  isOwnerOver(trx: Transaction<Schema>, projectId: string): Promise<boolean>
  /** Returns the storage and the quota of an account, in bytes, without what the transaction has changed in projects. */
  readAccount(db: Db, userId: string): Promise<{ used: number; quota: number }>
  /** Returns the storage of all accounts. */
  readTotal(db: Db): Promise<Total>
}

/** Remembers the storage of all accounts for a moment. */
function rememberSum(clock: () => Date) {
  let sum: { bytes: number; readAt: number } | undefined
  return {
    /** Returns it without what this transaction has `written`. */
    async read(db: Db, written: number) {
      const now = clock().getTime()
      if (!sum || Math.abs(now - sum.readAt) > SUM_MS) {
        const { text, files } = await sumUsage(db)
        sum = { bytes: text + files - written, readAt: now }
      }
      return sum.bytes
    },
    add(growth: number) {
      if (sum) sum.bytes += growth
    },
  }
}

export function createQuotas({
  accountQuota,
  instanceQuota,
  milestonesPerProject,
  projectsPerAccount,
  clock,
}: QuotaSettings & { clock: () => Date }): Quotas {
  const sum = rememberSum(clock)

  /** Returns whether the instance has room for `more` bytes, some of which a transaction may already have `written`. */
  async function hasRoom(db: Db, more: number, written: number) {
    return instanceQuota === undefined || (await sum.read(db, written)) + more <= instanceQuota
  }

  return {
    accountQuota,

    async requireRoom(db, caller, projectId) {
      const usage = await findUsage(db, projectId)
      const quota = usage?.ownerQuota ?? accountQuota
      if (usage && usage.ownerBytes >= quota) throw accountFull(usage.ownerId === caller.userId, quota)
      if (!(await hasRoom(db, 1, 0))) throw instanceFull()
    },

    async requireWithin(trx, caller, projectId, before, known) {
      const usage = known ?? (await findUsage(trx, projectId))
      if (!usage || usage.projectBytes <= before) return
      const quota = usage.ownerQuota ?? accountQuota
      if (usage.ownerBytes > quota) throw accountFull(usage.ownerId === caller.userId, quota)
      const growth = usage.projectBytes - before
      if (!(await hasRoom(trx, growth, growth))) throw instanceFull()
      sum.add(growth)
    },

    async requireAccountWithin(trx, caller, growth) {
      if (growth <= 0) return
      const { bytes, ownQuota } = await findAccountUsage(trx, caller.userId)
      const quota = ownQuota ?? accountQuota
      if (bytes > quota) throw accountFull(true, quota)
      if (!(await hasRoom(trx, growth, growth))) throw instanceFull()
      sum.add(growth)
    },

    async requireInstanceRoom(db, bytes) {
      if (!(await hasRoom(db, bytes, 0))) throw instanceFull()
    },

    async requireMilestone(trx, projectId) {
      if ((await countMilestones(trx, projectId)) >= milestonesPerProject)
        throw conflict(
          `A project has at most ${milestonesPerProject.toLocaleString('en')} milestones, including those in the trash. Delete some for ever, or begin another project.`,
        )
    },

    async requireProject(trx, { userId }) {
      if ((await countProjects(trx, userId)) >= projectsPerAccount)
        throw conflict(
          `An account has at most ${projectsPerAccount.toLocaleString('en')} projects, including those in the trash. Delete some for ever first.`,
        )
    },

    async excess(db, projectId, known) {
      const usage = known ?? (await findUsage(db, projectId))
      const ofInstance = instanceQuota === undefined ? 0 : (await sum.read(db, 0)) - instanceQuota
      const ofAccount = (usage?.ownerBytes ?? 0) - (usage?.ownerQuota ?? accountQuota)
      return { bytes: Math.max(0, ofAccount, ofInstance), usage }
    },

    async isOwnerOver(trx, projectId) {
      const usage = await findUsage(trx, projectId)
      return usage !== undefined && usage.ownerBytes > (usage.ownerQuota ?? accountQuota)
    },

    async readAccount(db, userId) {
      const { bytes, ownQuota } = await findAccountUsage(db, userId)
      return { used: bytes, quota: ownQuota ?? accountQuota }
    },
    readTotal: sumUsage,
  }
}

function accountFull(isOwner: boolean, quota: number): AppError {
  const size = limitText(quota)
  const message = isOwner
    ? `Your projects fill the ${size} that an account may store here. Permanently delete what you no longer need from the trash, or ask the operator of this server for more.`
    : `The projects of this project’s owner fill the ${size} that an account may store here. Ask the owner to make room.`
  return new AppError('quota_exceeded', message)
}

const instanceFull = () =>
  new AppError('quota_exceeded', 'This server has no room left for more. Please tell its operator.')

/** Adds gauges of the storage of all accounts. If the database does not respond, the other metrics are still served. */
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
