import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ACTIVITY_PER_PAGE, type Activity, type ActivityPage } from '#contract/activity.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject } from '#server/feature-subjects.ts'
import { shownName } from '#server/files/people.ts'
import { hasScope, requireAccess } from '#server/permissions/access.ts'
import { can } from '#server/permissions/roles-by-action.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import {
  type ActivityRecord,
  findLeaving,
  findPosition,
  insertActivity,
  listActivityOf,
  type NewActivity,
} from './store.ts'

export { activityPart, type EntryActivityValues, entryActivity } from './store.ts'

/**
 * Records activity in the transaction of the change, with one statement. Edits of an entry by the person who wrote or edited
 * it last are recorded once in ten minutes. The project must be locked. Callers must not record activity of drafts.
 */
export function recordActivity(trx: Transaction<Schema>, activity: NewActivity): Promise<void> {
  return insertActivity(trx, { ...activity, id: uuidv7() })
}

/** Returns whether a person has left the project of these parameters, and is no member of it since. */
export async function hasLeft(
  db: Db,
  { userId }: Pick<Caller, 'userId'>,
  { projectId }: { readonly [name: string]: unknown },
): Promise<boolean> {
  return typeof projectId === 'string' && (await findLeaving(db, projectId, userId))
}

/**
 * Returns a page of a project's activity, latest first, before the row `before`. Throws `not_found` also for people who may
 * view the project without being its members.
 */
export function listActivity(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  before: string | undefined,
): Promise<ActivityPage> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'project:view', { projectId })
    if (!can(access, 'activity:view')) throw notFound('Project')
    const position = before === undefined ? undefined : await findPosition(db, projectId, before)
    if (before !== undefined && !position) throw notFound('Activity')
    const rows = await listActivityOf(db, projectId, {
      before: position,
      withInvitations: can(access, 'collaborators:manage') && hasScope(caller, 'manage'),
      limit: ACTIVITY_PER_PAGE + 1,
    })
    const page = rows.slice(0, ACTIVITY_PER_PAGE)
    const next = rows.length > page.length ? (page.at(-1)?.id ?? null) : null
    return { activity: page.map((row) => presentActivity(row, caller)), next }
  })
}

/** Presents activity to a user. */
function presentActivity(row: ActivityRecord, { userId }: Pick<Caller, 'userId'>): Activity {
  const { actor_id, actor_name, milestone_id, milestone_title, entry_id, entry_milestone_id } = row
  const isKnown = actor_id !== null || actor_name !== ''
  return {
    _id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    actor: isKnown ? { name: shownName(actor_name), isMe: actor_id === userId } : null,
    subject: row.subject,
    details: row.details,
    milestone:
      milestone_id === null || milestone_title === null
        ? null
        : { _id: milestone_id, title: milestone_title },
    entry:
      entry_id === null || entry_milestone_id === null
        ? null
        : { _id: entry_id, milestone: entry_milestone_id },
  }
}

/** Returns the activity of a project for the download of all data, latest first; of others' projects only the caller's own. */
export async function* exportActivity(
  deps: AppDeps,
  caller: Caller,
  { projectId, isOwn }: ExportedProject,
): AsyncGenerator<Activity> {
  for (let before: string | undefined; ; ) {
    const { activity, next } = await listActivity(deps, caller, projectId, before)
    yield* activity.filter(({ actor }) => isOwn || actor?.isMe)
    if (next === null) return
    before = next
  }
}
