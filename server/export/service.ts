import type { Readable } from 'node:stream'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { incomingFile } from '#server/files/incoming.ts'
import { type Caller, clientOf } from '#server/platform/calls.ts'
import { AppError } from '#server/platform/errors.ts'
import { FairQueue } from '#server/platform/load/fair-queue.ts'
import { requireExportable } from './access.ts'
import { makeArchive } from './archive.ts'
import { makeEntry } from './entry.ts'
import { makeBook } from './epub/make.ts'
import type { Exported, Making } from './making.ts'
import { sendExport } from './sending.ts'
import { makeSite } from './site/make.ts'
import { openTemporaryFile, type TemporaryFile } from './temporary-file.ts'
import { requireHolder, scopeOf, type Ticket } from './ticket.ts'

/** Collecting keeps the database and the disk busy; an export that is sent waits for its reader, who may be slow. */
const COLLECTING = { atOnce: 2, waiting: 20, each: 1, waitMs: 120_000 }
const SENDING = {
  atOnce: 20,
  each: 1,
  hold: { ms: 30_000, pace: 100_000 },
  tooMany: 'Your earlier archive is still being sent.',
}

/** Creates exports: a process collects at most two at a time and sends twenty, one for each person. */
export function createExports(deps: AppDeps, own: { features: readonly Feature[]; publicUrl: string }) {
  const queues = { collecting: new FairQueue(COLLECTING), sending: new FairQueue(SENDING) }
  return { open: (given: Ticket, network: string) => openExport(deps, { queues, ...own }, given, network) }
}

type Own = {
  queues: { collecting: FairQueue; sending: FairQueue }
  features: readonly Feature[]
  publicUrl: string
}

/** An export as it is sent. */
export type Sent = Pick<Exported, 'name' | 'type'> & { bytes: Readable }

/**
 * Returns the export that this link names. Throws `not_found` if the link has expired or the session or
 * access token has ended, and `too_many_requests` if another export is being sent to this person, and
 * `unavailable` if too many are being sent or the disk is full.
 */
async function openExport(
  deps: AppDeps,
  { queues, features, publicUrl }: Own,
  given: Ticket,
  network: string,
): Promise<Sent> {
  const caller = { ...(await requireHolder(deps, given)), network }
  const scope = scopeOf(given)
  await requireExportable(deps, caller, scope, given.format)
  const place = queues.sending.enterNow(clientOf(caller))
  const opened: TemporaryFile[] = []
  const end = () => {
    place.release()
    for (const file of opened)
      file
        .close()
        .catch((error: unknown) => deps.log.warn({ err: error }, 'a temporary file could not be closed'))
  }
  const openFile = async () => {
    const file = await openTemporary(deps)
    opened.push(file)
    return file
  }
  const making = { deps, caller, features, openFile, madeAt: deps.clock() }
  try {
    const exported = await queues.collecting.run(clientOf(caller), () =>
      make(making, { ...given, scope, publicUrl }),
    )
    place.taken.throwIfAborted()
    const bytes = sendExport(exported, place)
    bytes.once('close', end)
    return { name: exported.name, type: exported.type, bytes }
  } catch (error) {
    end()
    throw error
  }
}

type Asked = Pick<Ticket, 'format' | 'base'> & { scope: ReturnType<typeof scopeOf>; publicUrl: string }

function make(
  making: Making & { caller: Caller },
  { scope, format, base, publicUrl }: Asked,
): Promise<Exported> {
  if (scope !== 'account' && 'project' in scope && format === 'site')
    return makeSite(making, { ...scope, base, origin: publicUrl })
  if (scope !== 'account' && format === 'epub') return makeBook(making, scope)
  if (scope !== 'account' && 'entry' in scope) return makeEntry(making, scope.entry)
  return makeArchive(making, { scope, withRecords: format === 'archive' })
}

async function openTemporary({ files, log }: AppDeps): Promise<TemporaryFile> {
  try {
    return await openTemporaryFile(incomingFile(files.incoming))
  } catch (error) {
    log.error({ err: error }, 'an export cannot be collected')
    throw new AppError('unavailable', 'The archive cannot be made right now', { retryAfter: 60 })
  }
}
