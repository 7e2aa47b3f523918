import type { Watch, WatchLevel } from '#contract/watching.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject } from '#server/feature-subjects.ts'
import { requireAccess, requireAccessForChange } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { findWatch, listListeners, recordVisit, setLevel } from './store.ts'

/** A look at a project after this pause begins another visit. */
const PAUSE_MS = 30 * 60_000

/** Returns what the caller hears of a project of which they are a member. Throws `not_found` or `forbidden`. */
export async function readWatch({ db }: AppDeps, caller: Caller, projectId: string): Promise<Watch> {
  await requireAccess(db, caller, 'activity:view', { projectId })
  return presentWatch(db, caller, projectId)
}

/** Changes which news of a project the caller hears. Throws `not_found` or `forbidden`. */
export async function changeWatch(
  { db }: AppDeps,
  caller: Caller,
  projectId: string,
  level: WatchLevel,
): Promise<Watch> {
  return db.transaction().execute(async (trx) => {
    await requireAccessForChange(trx, caller, 'activity:view', { projectId })
    await setLevel(trx, { userId: caller.userId, projectId, level })
    return presentWatch(trx, caller, projectId)
  })
}

/**
 * Records that the caller looks at a project, and returns what is new since their last visit: the same during one visit. Throws
 * `not_found` or `forbidden`.
 */
export async function visitProject(
  { db, clock }: AppDeps,
  caller: Caller,
  projectId: string,
): Promise<Watch> {
  await requireAccess(db, caller, 'activity:view', { projectId })
  const now = clock()
  const pausedBefore = new Date(now.getTime() - PAUSE_MS)
  await recordVisit(db, { userId: caller.userId, projectId, now, pausedBefore })
  return presentWatch(db, caller, projectId)
}

/** Returns the names of the other members of a project, each once, whom a text can mention. Throws `not_found` or `forbidden`. */
export async function listMentionable(
  { db }: AppDeps,
  caller: Caller,
  projectId: string,
): Promise<{ name: string }[]> {
  await requireAccess(db, caller, 'content:edit', { projectId })
  const others = await listListeners(db, projectId, caller.userId)
  const names = new Set(others.map(({ name }) => name.replaceAll(/\s+/g, ' ').trim()))
  names.delete('')
  return [...names].toSorted(new Intl.Collator('en').compare).map((name) => ({ name }))
}

async function presentWatch(db: Db, { userId }: Caller, projectId: string): Promise<Watch> {
  const row = await findWatch(db, userId, projectId)
  return { level: row?.level ?? 'all', newSince: row?.new_since?.toISOString() ?? null }
}

/** Returns the caller's watch of a project for the download of all data. */
export const exportWatch = async (
  { db }: AppDeps,
  caller: Caller,
  { projectId }: ExportedProject,
): Promise<{ watch: Watch }> => ({ watch: await presentWatch(db, caller, projectId) })
