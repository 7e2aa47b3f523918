import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type ImportReport, importChoices, UNDO_DAYS } from '#contract/imports.ts'
import { usableZone } from '#contract/parts/date-formats.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import { incomingFile } from '#server/files/incoming.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { type ChildPool, createChildPool } from '#server/platform/child-pool.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import type { Converted, ConvertTask } from './convert-task.ts'
import { STAYS } from './converting/posts.ts'
import { isPassing, type RunDeps, type Taken } from './creating/progress.ts'
import { createFetchPicture, type FetchPicture } from './elsewhere/fetch.ts'
import { createProblems, type FileItem, type Problems, Refused, type Source } from './items.ts'
import { joinParts, removeParts } from './parts.ts'
import { planOf } from './plan.ts'
import { resolveTargets } from './resolve.ts'
import { roomOf } from './room.ts'
import { runItems } from './run.ts'
import {
  type Claimed,
  claimImport,
  endLease,
  findNameOf,
  findReport,
  isAnotherWaiting,
  listSpent,
  postpone,
  removeImport,
  renewLease,
  spendParts,
  updateImport,
} from './store.ts'
import { undoItems } from './undo.ts'

const LEASE_MS = 30_000
const EVERY_MS = 2_000
const AT_ONCE = 2
/** As the renderer has, with more room for a JSON of a hundred megabytes. */
const CHILD = { heapMegabytes: 768, semiSpaceMegabytes: 4, idleMs: 30_000 }
const CONVERT_MS = 10 * 60_000
const EXTRACT_MS = 2 * 60_000
/** After this time an import lets one of somebody else go first. */
const TURN_MS = 2 * 60_000

/** Reads archives apart from the server, one at a time. The texts are read in another process than the files, whose memory it would keep. */
export type OpenReader = () => Pick<ChildPool<ConvertTask, Converted>, 'run' | 'close'>
/** Fetches pictures for one import, so that websites that it finds silent are asked by others. */
type OpenWebsites = () => FetchPicture
type Reading = RunDeps & { openReader: OpenReader; openWebsites: OpenWebsites }

const inChildProcess: OpenReader = () => createChildPool(new URL('./convert-task.ts', import.meta.url), CHILD)

/** The import was ended, or another process works on it. */
class Stopped extends Error {}

/** Works on the imports of all people, one after the other. An import that a process has left goes on in another. */
export function importWork(
  deps: RunDeps,
  openReader: OpenReader = inChildProcess,
  openWebsites: OpenWebsites = createFetchPicture,
): ScheduledTask {
  const reading = { ...deps, openReader, openWebsites }
  return { name: 'imports', everyMs: EVERY_MS, run: (stop) => workWhileThere(reading, stop) }
}

/** The places of a process for imports. Each looks for work by itself: one that has much to do keeps no other from beginning. */
export const importPlaces = (deps: RunDeps, openReader?: OpenReader): ScheduledTask[] =>
  Array.from({ length: AT_ONCE }, () => importWork(deps, openReader))

/** Removes archives that nobody needs any more. */
export function importSweep(deps: RunDeps): ScheduledTask {
  return {
    name: 'removal of archives',
    everyMs: 60_000,
    async run() {
      for (const spent of await listSpent(deps.db, deps.clock())) {
        await removeParts(deps, spent)
        if (spent.user_id === null || spent.state === 'uploading' || spent.state === 'planned')
          await removeImport(deps.db, spent.id)
        else await spendParts(deps.db, spent.id, undoUntil(deps))
      }
    },
  }
}

async function workWhileThere(deps: Reading, stop?: AbortSignal): Promise<void> {
  for (;;) {
    const claimed = stop?.aborted ? undefined : await claimImport(deps.db, LEASE_MS)
    if (!claimed) return
    await workOn(deps, claimed, stop)
  }
}

type Step = { claimed: Claimed; advance: (done: number) => Promise<void> }

async function workOn(deps: Reading, claimed: Claimed, stop?: AbortSignal): Promise<void> {
  const { id, state } = claimed
  let renewedAt = performance.now()
  const renew = async () => {
    renewedAt = performance.now()
    if (!(await renewLease(deps.db, claimed, LEASE_MS))) throw new Stopped()
  }
  const timer = setInterval(() => void renew().catch(() => undefined), LEASE_MS / 3)
  const advance = async (done: number) => {
    if (stop?.aborted) throw new Stopped()
    if (performance.now() - renewedAt < 1_000) return
    await renew()
    await updateImport(deps.db, id, { done }, deps.clock())
  }
  try {
    if (state === 'undoing') await undo(deps, { claimed, advance })
    else await withArchive(deps, claimed, { claimed, advance })
  } catch (error) {
    if (error instanceof Stopped) await endLease(deps.db, id)
    // Such as too many pictures at a time: the import goes on by itself.
    else if (error instanceof AppError && isPassing(error) && state === 'running')
      await postpone(deps.db, id, Math.min(60, error.retryAfter ?? 10))
    else await end(deps, claimed, error)
  } finally {
    clearInterval(timer)
  }
}

/** Ends the work on an import after an error, with a sentence for its person. */
async function end(deps: RunDeps, { id, state }: Claimed, error: unknown): Promise<void> {
  const now = deps.clock()
  const isOfPerson = error instanceof Refused || error instanceof AppError
  if (!isOfPerson) deps.log.error({ err: error, import: id }, 'an import has failed')
  const problem = isOfPerson
    ? error.message
    : 'The archive could not be read: it needs too much time or memory, or is damaged. Import it in parts.'
  const next = { inspecting: 'failed', undoing: 'done' } as const
  const after = state === 'inspecting' || state === 'undoing' ? next[state] : 'paused'
  // Another process may have ended it, if this one was slow.
  await updateImport(deps.db, id, { state: after, problem }, now, state)
}

async function undo(deps: RunDeps, { claimed, advance }: Step): Promise<void> {
  const { id } = claimed
  const kept = await undoItems(deps, claimed, advance)
  const before = await findReport(deps.db, id)
  const report = { ...(before ?? NOTHING), kept }
  await updateImport(deps.db, id, { state: 'undone', report, problem: null, undoUntil: null }, deps.clock())
}

const NOTHING: ImportReport = {
  made: { projects: 0, milestones: 0, entries: 0, files: 0 },
  here: 0,
  leftOut: 0,
  projects: [],
  problems: [],
  kept: [],
}

/** Reads an archive in a child process, and plans or creates what it holds. */
async function withArchive(deps: Reading, claimed: Claimed, step: Step): Promise<void> {
  const [file, work, lines] = [1, 2, 3].map(() => incomingFile(deps.files.incoming)) as [
    string,
    string,
    string,
  ]
  const converting = deps.openReader()
  const extracting = deps.openReader()
  const fetchPicture = deps.openWebsites()
  try {
    const { quota } = await deps.quotas.readAccount(deps.db, claimed.user_id)
    const opened = { file, name: claimed.name, work, room: roomOf(quota) }
    await joinParts(deps, claimed, file)
    const zone = usableZone(claimed.time_zone)
    const { fileLimits: limits } = deps.fileSettings
    const converted = await converting.run({ ...opened, as: 'items', to: lines, zone, limits }, CONVERT_MS)
    await converting.close()
    if ('refused' in converted) throw new Refused(converted.refused)
    const { source, problems } = converted
    if (source === undefined) throw new Error('an archive without a source')
    const extract = async ({ at, size, embedded, address }: FileItem, to: string): Promise<Taken> => {
      if (address !== undefined) return copied(fetchPicture, address, { to, max: limits.picture })
      const task = {
        ...opened,
        as: 'file',
        to,
        at,
        max: size,
        ...(embedded !== undefined && { embedded }),
      } as const
      const taken = await extracting.run(task, EXTRACT_MS)
      return 'refused' in taken ? taken : {}
    }
    const found = { source, problems, lines }
    if (claimed.state === 'inspecting') await makePlan(deps, claimed, found)
    else await makeItems(deps, step, { ...found, extract })
  } finally {
    await converting.close()
    await extracting.close()
    await removeTemporary([file, work, lines])
  }
}

/** Writes a copy of a picture on a website to a file. */
async function copied(
  fetchPicture: FetchPicture,
  address: string,
  { to, max }: { to: string; max: number },
): Promise<Taken> {
  try {
    const name = await fetchPicture(address, to, max)
    return { name, size: (await stat(to)).size }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
}

/** Removes temporary files, also those whose names begin with one. */
async function removeTemporary(files: string[]): Promise<void> {
  for (const file of files) {
    const folder = path.dirname(file)
    const names = (await readdir(folder)).filter((name) => name.startsWith(path.basename(file)))
    for (const name of names) await rm(path.join(folder, name), { force: true })
  }
}

type Found = { source: Source; problems: Problems; lines: string }

async function makePlan(deps: RunDeps, { id, user_id: userId }: Claimed, { source, problems, lines }: Found) {
  const targets = await resolveTargets(deps, { id, userId, source }, lines)
  const plan = await planOf(lines, { source, problems, targets })
  await updateImport(deps.db, id, { state: 'planned', source, plan }, deps.clock())
}

type Extract = { extract: Parameters<typeof runItems>[1]['extract'] }

async function makeItems(
  deps: RunDeps,
  { claimed, advance }: Step,
  { source, problems, lines, extract }: Found & Extract,
): Promise<void> {
  const { id, user_id: userId } = claimed
  const targets = await resolveTargets(deps, { id, userId, source }, lines)
  const began = performance.now()
  async function advanceInTurn(done: number, mayPause = true) {
    await advance(done)
    if (mayPause && performance.now() - began > TURN_MS && (await isAnotherWaiting(deps.db, userId)))
      throw new Stopped()
  }
  const choices = importChoices.parse(claimed.choices ?? {})
  const report = await runItems(deps, {
    importId: id,
    caller: { userId, sessionId: id },
    ownName: (await findNameOf(deps.db, userId)) ?? '',
    choices,
    targets,
    lines,
    extract,
    advance: advanceInTurn,
  })
  const all = createProblems()
  // What could not be copied is in the report of the run.
  const known = problems.filter(({ reason }) => choices.pictures === 'left' || reason !== STAYS)
  for (const { reason, count, paths } of [...known, ...report.problems])
    for (let at = 0; at < count; at += 1) all.add(reason, paths[at] ?? '')
  const ended = { state: 'done' as const, problem: null, done: report.made.entries }
  const change = { ...ended, report: { ...report, problems: all.list() }, undoUntil: undoUntil(deps) }
  await updateImport(deps.db, id, change, deps.clock(), claimed.state)
}

const undoUntil = ({ clock }: Pick<RunDeps, 'clock'>) => new Date(clock().getTime() + UNDO_DAYS * DAY_MS)
