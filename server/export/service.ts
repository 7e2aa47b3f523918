import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { CallResponse } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import type { AppDeps } from '#server/deps.ts'
import { incomingFile } from '#server/files/incoming.ts'
import type { Caller } from '#server/platform/calls.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { type Acquire, limitConcurrency } from '#server/platform/load/concurrency.ts'
import { createArchive } from './archive.ts'
import { gather, type Spools } from './gather.ts'
import { openSpool } from './spool.ts'
import { findHolder, type Holder } from './store.ts'

/** How long a link to an archive is good, in seconds: a browser follows it at once. */
const TICKET_SECONDS = 60
const PER_HOUR = { name: 'export', calls: 10, seconds: 3_600 }

/** What a link to an archive says: who asked for it, and until when it is good. */
export const ticket = z.object({
  person: z.uuid(),
  by: z.uuid(),
  program: z.enum(['yes', 'no']),
  until: z.coerce.number().int(),
  proof: z.string(),
})
type Ticket = z.output<typeof ticket>

/**
 * A link at which the caller's archive is made and sent. A browser that downloads it by itself can send no token, so the
 * link is signed. Throws `too_many_requests`.
 */
export async function prepareExport(
  deps: AppDeps,
  { userId, sessionId, grant }: Caller,
): Promise<CallResponse<Calls['prepareExport']>> {
  const now = deps.clock()
  const isAllowed = await deps.db.transaction().execute((trx) => isUnderLimit({ trx, now }, PER_HOUR, userId))
  if (!isAllowed)
    throw new AppError(
      'too_many_requests',
      `Everything can be downloaded ${PER_HOUR.calls} times an hour. Please try again later.`,
      { retryAfter: PER_HOUR.seconds },
    )
  const until = Math.floor(now.getTime() / 1_000) + TICKET_SECONDS
  const program: Ticket['program'] = grant ? 'yes' : 'no'
  const claims = { person: userId, by: sessionId, program, until }
  const query = { ...claims, until: String(until), proof: deps.links.sign(signedText(claims)) }
  return {
    url: `/api/account/export?${new URLSearchParams(query)}`,
    expiresAt: new Date(until * 1_000).toISOString(),
  }
}

const signedText = ({ person, by, program, until }: Omit<Ticket, 'proof'>) =>
  JSON.stringify(['export', person, by, program, until])

/** Makes archives, of which a process sends two at a time, and each person one. */
export function createExports(deps: AppDeps) {
  const acquire = limitConcurrency({ atOnce: 2, each: 1 })
  return { open: (given: Ticket) => openExport(deps, acquire, given) }
}

/**
 * The archive of the person who asked for this link. Throws `not_found` where it is not good any more, or what asked for it has
 * ended, and `unavailable` where another one is being sent, or there is no room for it.
 */
async function openExport(deps: AppDeps, acquire: Acquire, given: Ticket): Promise<Readable> {
  const caller = await requireHolder(deps, given)
  const release = await acquire(caller.userId)
  let spools: Spools | undefined
  const end = () => {
    release()
    for (const spool of Object.values(spools ?? {}))
      spool.close().catch((error: unknown) => deps.log.warn({ err: error }, 'a spool could not be closed'))
  }
  try {
    spools = await openSpools(deps)
    await gather(deps, caller, spools)
    const archive = createArchive(spools, deps.files, deps.clock())
    archive.once('close', end)
    return archive
  } catch (error) {
    end()
    throw error
  }
}

async function requireHolder({ db, links, clock }: AppDeps, given: Ticket): Promise<Caller> {
  const now = clock()
  const holder: Holder = { userId: given.person, id: given.by, isProgram: given.program === 'yes' }
  const isGood = links.isSigned(signedText(given), given.proof) && given.until * 1_000 >= now.getTime()
  const found = isGood ? await findHolder(db, holder, now) : undefined
  if (!found) throw notFound('Download')
  const caller = { userId: holder.userId, sessionId: holder.id }
  if (!holder.isProgram) return caller
  const { scopes, project_ids: projectIds, expires_at: expiresAt } = found
  return { ...caller, grant: { scopes: scopes ?? [], projectIds, expiresAt } }
}

async function openSpools({ files, log }: AppDeps): Promise<Spools> {
  try {
    await using opened = new AsyncDisposableStack()
    const open = async () => {
      const spool = await openSpool(incomingFile(files.incoming))
      opened.defer(spool.close)
      return spool
    }
    const spools = { json: await open(), items: await open() }
    opened.move()
    return spools
  } catch (error) {
    log.error({ err: error }, 'an archive cannot be gathered')
    throw new AppError('unavailable', 'The archive cannot be made right now', { retryAfter: 60 })
  }
}
