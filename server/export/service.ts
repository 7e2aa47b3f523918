import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { CallResponse } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { incomingFile } from '#server/files/incoming.ts'
import { type Caller, clientOf } from '#server/platform/calls.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { FairQueue, type Place } from '#server/platform/load/fair-queue.ts'
import type { Item } from './archive-files.ts'
import { type ArchiveParts, collectData } from './collect.ts'
import { findRequester, type Requester } from './store.ts'
import { openTemporaryFile } from './temporary-file.ts'
import { writeZip, type ZipEntry } from './zip.ts'

/** How long a link to an archive is valid, in seconds; a browser follows it immediately. */
const TICKET_SECONDS = 60
const PER_HOUR = { name: 'export', calls: 10, seconds: 3_600 }

/** The parameters of a link to an archive: who requested it, and its expiry. */
export const ticket = z.object({
  person: z.uuid(),
  by: z.uuid(),
  program: z.enum(['yes', 'no']),
  until: z.coerce.number().int(),
  proof: z.string(),
})
type Ticket = z.output<typeof ticket>

/**
 * Returns the link to the caller's archive. It is signed, because a browser sends no token when it downloads a file.
 * Throws `too_many_requests`.
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

/** Collecting keeps the database and the disk busy; an archive that is sent waits for its reader, who may be slow. */
const COLLECTING = { atOnce: 2, waiting: 20, each: 1, waitMs: 120_000 }
const SENDING = {
  atOnce: 20,
  each: 1,
  hold: { ms: 30_000, pace: 100_000 },
  tooMany: 'Your earlier archive is still being sent.',
}

/** Creates archives: a process collects at most two at a time and sends twenty, one for each person. */
export function createExports(deps: AppDeps, features: readonly Feature[]) {
  const queues = { collecting: new FairQueue(COLLECTING), sending: new FairQueue(SENDING) }
  return { open: (given: Ticket, network: string) => openExport(deps, { queues, features }, given, network) }
}

type Queues = { collecting: FairQueue; sending: FairQueue }

/**
 * Returns the archive of the person who requested this link. Throws `not_found` if the link has expired or the session or
 * access token has ended, and `too_many_requests` if another archive is being sent to this person, and
 * `unavailable` if too many are being sent or the disk is full.
 */
async function openExport(
  deps: AppDeps,
  { queues, features }: { queues: Queues; features: readonly Feature[] },
  given: Ticket,
  network: string,
): Promise<Readable> {
  const caller = { ...(await requireHolder(deps, given)), network }
  const place = queues.sending.enterNow(clientOf(caller))
  let parts: ArchiveParts | undefined
  const end = () => {
    place.release()
    for (const file of Object.values(parts ?? {}))
      file
        .close()
        .catch((error: unknown) => deps.log.warn({ err: error }, 'a temporary file could not be closed'))
  }
  try {
    const collected = await queues.collecting.run(clientOf(caller), async () => {
      parts = await openParts(deps)
      await collectData(deps, caller, { parts, features })
      return parts
    })
    place.taken.throwIfAborted()
    const archive = createArchive(collected, deps, deps.clock(), place)
    archive.once('close', end)
    return archive
  } catch (error) {
    end()
    throw error
  }
}

async function requireHolder({ db, links, clock }: AppDeps, given: Ticket): Promise<Caller> {
  const now = clock()
  const holder: Requester = { userId: given.person, id: given.by, isProgram: given.program === 'yes' }
  const isGood = links.isSigned(signedText(given), given.proof) && given.until * 1_000 >= now.getTime()
  const found = isGood ? await findRequester(db, holder, now) : undefined
  if (!found) throw notFound('Download')
  const caller = { userId: holder.userId, sessionId: holder.id }
  if (!holder.isProgram) return caller
  const { scopes, project_ids: projectIds, expires_at: expiresAt } = found
  return { ...caller, grant: { scopes: scopes ?? [], projectIds, expiresAt } }
}

async function openParts({ files, log }: AppDeps): Promise<ArchiveParts> {
  try {
    await using opened = new AsyncDisposableStack()
    const open = async () => {
      const file = await openTemporaryFile(incomingFile(files.incoming))
      opened.defer(file.close)
      return file
    }
    const parts = { json: await open(), items: await open() }
    opened.move()
    return parts
  } catch (error) {
    log.error({ err: error }, 'an archive cannot be collected')
    throw new AppError('unavailable', 'The archive cannot be made right now', { retryAfter: 60 })
  }
}

/** How long a client may read nothing before it is disconnected, in milliseconds. */
const STALLED_MS = 60_000

/** Files that are already compressed are not compressed again. */
const COMPRESSED =
  /\.(?:jpe?g|png|webp|gif|avif|heic|mp4|m4[av]|mov|webm|mp3|ogg|opus|zip|gz|7z|pdf|docx|xlsx|pptx)$/i

const ABOUT = `This is what Milepost stores of you.

- projects/ has your projects: a folder for each milestone, and in it a Markdown file for each entry. Their pictures and
  other files are in the folder "files" beside the milestones, and the texts lead to them.
- shared/ has what you wrote in projects of others.
- drafts/ has what you had begun to write and not saved.
- milepost.json has the same for programs, and the rest: your account, where you are signed in, members, activity.
- SHA256SUMS has the checksum of every file: \`sha256sum --check SHA256SUMS\` finds one that was damaged.
- missing-files.txt, if there is one, names the files that the server could not read.

Earlier versions of entries and what is in the trash are not in it.
`

/**
 * Streams a ZIP archive of the collected data. One file is open at a time, and nothing is read
 * ahead of the client. It fails if the client reads nothing for a minute, or loses its place to another.
 */
function createArchive(
  parts: ArchiveParts,
  deps: Pick<AppDeps, 'files' | 'log'>,
  madeAt: Date,
  place: Place,
): Readable {
  const stalled = setTimeout(
    () => archive.destroy(new Error('the reader of an archive took too long')),
    STALLED_MS,
  )
  async function* watched() {
    for await (const chunk of writeZip(entriesOf(parts, deps, madeAt))) {
      yield chunk
      stalled.refresh()
      place.advance(chunk.length)
    }
  }
  const archive = Readable.from(watched(), { objectMode: false, highWaterMark: 65_536 })
  place.taken.addEventListener('abort', () => archive.destroy(place.taken.reason as Error))
  return archive.once('close', () => clearTimeout(stalled))
}

async function* entriesOf(
  { json, items }: ArchiveParts,
  deps: Pick<AppDeps, 'files' | 'log'>,
  madeAt: Date,
): AsyncGenerator<ZipEntry> {
  const sums: string[] = []
  /** Yields a file, and notes its checksum once it was written. */
  async function* summed(entry: ZipEntry) {
    const hash = createHash('sha256')
    yield { ...entry, bytes: hashing(entry.bytes, hash) }
    sums.push(`${hash.digest('hex')}  ${entry.path}\n`)
  }
  yield* summed(textEntry('README.txt', ABOUT, madeAt))
  yield* summed({ ...(await json.read()), path: 'milepost.json', mtime: madeAt, isCompressed: false })
  const missing: string[] = []
  for await (const line of items.lines()) {
    const item = JSON.parse(line) as Item
    const mtime = new Date(item.at)
    if ('text' in item) yield* summed(textEntry(item.path, item.text, mtime))
    else {
      const stored = await readUnlessMissing(deps, item.key)
      if (stored)
        yield* summed({ ...stored, path: item.path, mtime, isCompressed: COMPRESSED.test(item.path) })
      else missing.push(item.path)
    }
  }
  if (missing.length > 0) yield textEntry('missing-files.txt', `${missing.join('\n')}\n`, madeAt)
  yield textEntry('SHA256SUMS', sums.join(''), madeAt)
}

async function* hashing(bytes: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

/** What a folder answers about a file that it has and does not give, as a bucket answers 403. */
const REFUSED = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'ELOOP'])

/** Returns null for a file that the store does not have or does not give, so that one lost file does not keep all others back. */
async function readUnlessMissing({ files, log }: Pick<AppDeps, 'files' | 'log'>, key: string) {
  try {
    const stored = await files.read(key)
    if (!stored) log.warn({ key }, 'a file is missing from the storage')
    return stored
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && REFUSED.has(String(error.code)))) throw error
    log.warn({ err: error, key }, 'a file of the storage cannot be read')
    return null
  }
}

function textEntry(path: string, text: string, mtime: Date): ZipEntry {
  const bytes = Buffer.from(text)
  return { path, mtime, size: bytes.length, bytes: Readable.from([bytes]), isCompressed: false }
}
