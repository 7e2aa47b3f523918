import type { Readable } from 'node:stream'
import type { ExportFormat, ExportScope } from '#contract/export.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { incomingFile } from '#server/files/incoming.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { isDiskFull } from '#server/platform/disk.ts'
import { type Client, clientNamed, FairQueue } from '#server/platform/limits/fair-queue.ts'
import { isUnderLimitOfNetwork } from '#server/platform/limits/limits.ts'
import { type ReaderFormat, requireExportable } from './access.ts'
import { makeArchive } from './archive.ts'
import { makeEntry } from './entry.ts'
import { makeBook, makeBooks } from './epub/make.ts'
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

/** What readers without an account take: each download reads a whole project. */
const DOWNLOADS = { name: 'downloads of public projects', calls: 10, seconds: 3_600 }

/** Creates exports: a process collects at most two at a time and sends twenty, one for each person. */
export function createExports(deps: AppDeps, own: { features: readonly Feature[]; publicUrl: string }) {
  const queues = { collecting: new FairQueue(COLLECTING), sending: new FairQueue(SENDING) }
  return {
    /**
     * Returns the export that this link names. Throws `not_found` if the link has expired or the session or
     * access token has ended.
     */
    async open(given: Ticket, network: string): Promise<Sent> {
      const caller = { ...(await requireHolder(deps, given)), network }
      const asked = {
        scope: scopeOf(given),
        format: given.format,
        base: given.base,
        withSearch: given.search === 'yes',
        withHistory: given.history === 'yes',
      }
      return openExport(deps, { queues, ...own }, { caller, client: clientOf(caller), asked })
    },
    /** Returns everything of a person with its history, for the operator of the server, whose database it is. Throws like `open`. */
    async openForOperator(userId: string): Promise<Sent> {
      const caller = { userId, sessionId: userId }
      const asked = {
        scope: 'account' as const,
        format: 'archive' as const,
        base: undefined,
        withSearch: false,
        withHistory: true,
      }
      return openExport(deps, { queues, ...own }, { caller, client: clientOf(caller), asked })
    },
    /** Returns a public project as its readers may take it. Throws `not_found`, and `too_many_requests` after some in an hour. */
    async openForReader(project: string, format: ReaderFormat, network: string): Promise<Sent> {
      await requireExportable(deps, null, { project })
      await countDownload(deps, network)
      const asked = { scope: { project }, format, base: undefined, withSearch: false, withHistory: false }
      return openExport(deps, { queues, ...own }, { caller: null, client: clientNamed(network), asked })
    },
  }
}

type Own = {
  queues: { collecting: FairQueue; sending: FairQueue }
  features: readonly Feature[]
  publicUrl: string
}

/** An export as it is sent. */
export type Sent = Pick<Exported, 'name' | 'type'> & { bytes: Readable }

type Asked = {
  scope: ExportScope
  format: ExportFormat
  base: string | undefined
  withSearch: boolean
  withHistory: boolean
}

type By = { caller: Caller | null; client: Client; asked: Asked }

async function countDownload({ db, clock }: AppDeps, network: string): Promise<void> {
  const isAllowed = await db
    .transaction()
    .execute((trx) => isUnderLimitOfNetwork({ trx, now: clock() }, DOWNLOADS, network))
  if (isAllowed) return
  const sentence = `Projects can be downloaded ${DOWNLOADS.calls} times an hour. Please try again later.`
  throw new AppError('too_many_requests', sentence, { retryAfter: DOWNLOADS.seconds })
}

/**
 * Makes an export and sends it. Throws `too_many_requests` if another one is being sent to this person, and `unavailable` if too many
 * are being sent or the disk is full.
 */
async function openExport(
  deps: AppDeps,
  { queues, features, publicUrl }: Own,
  { caller, client, asked }: By,
): Promise<Sent> {
  await requireExportable(deps, caller, asked.scope)
  const place = queues.sending.enterNow(client)
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
  const making = { deps, caller, client, features, openFile, madeAt: deps.clock() }
  try {
    const exported = await collect(queues.collecting, client, () => make(making, asked, publicUrl))
    place.taken.throwIfAborted()
    const bytes = sendExport(exported, place)
    bytes.once('close', end)
    return { name: exported.name, type: exported.type, bytes }
  } catch (error) {
    end()
    throw error
  }
}

/** Holds a place while an export is collected, also if it is sent meanwhile. */
async function collect(queue: FairQueue, client: Client, work: () => Promise<Exported>): Promise<Exported> {
  const place = await queue.enter(client)
  try {
    const exported = await work()
    if (exported.collected) exported.collected.then(place.release, place.release)
    else place.release()
    return exported
  } catch (error) {
    place.release()
    throw error
  }
}

function make(
  making: Making,
  { scope, format, base, withSearch, withHistory }: Asked,
  publicUrl: string,
): Promise<Exported> {
  if (format === 'site' && (scope === 'account' || 'project' in scope))
    return makeSite(making, { scope, base, withSearch, origin: publicUrl })
  if (format === 'epub') return scope === 'account' ? makeBooks(making) : makeBook(making, scope)
  const { caller } = making
  if (caller === null) throw notFound('Download')
  return makeForMember({ ...making, caller }, { scope, format, withHistory })
}

function makeForMember(
  making: Making<Caller>,
  { scope, format, withHistory }: Pick<Asked, 'scope' | 'format' | 'withHistory'>,
) {
  if (scope !== 'account' && 'entry' in scope) return makeEntry(making, scope.entry)
  return makeArchive(making, { scope, withRecords: format === 'archive', withHistory })
}

async function openTemporary({ files, log }: AppDeps): Promise<TemporaryFile> {
  try {
    return await openTemporaryFile(incomingFile(files.incoming))
  } catch (error) {
    if (isDiskFull(error)) throw error
    log.error({ err: error }, 'an export cannot be collected')
    throw new AppError('unavailable', 'The archive cannot be made right now', { retryAfter: 60 })
  }
}
