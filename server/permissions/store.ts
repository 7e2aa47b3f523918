import { sql, type Transaction } from 'kysely'
import type { Role } from '#contract/permissions.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Kind } from '#server/platform/changes/changes.ts'

/** A project, identified by its id or by the id of one of its milestones. */
export type ProjectRef = { projectId: string } | { milestoneId: string }

/** The project of a change, the id with which it creates something, and the caller's draft that it ends. */
export type LockedRef = ProjectRef & { wanted?: string | null; draft?: string | undefined }

/** A caller's role in a project, with the project's visibility and stored bytes. */
export type ProjectAccess = { projectId: string; role: Role | null; isPublic: boolean; bytes: number }

/** Returns the access of a user (null: a visitor) to a project; undefined if the project does not exist. */
export function findAccess(db: Db, userId: string | null, projectId: string) {
  return access.first(db, { userId, projectId })
}

const access = prepared((db, { userId, projectId }: { userId: string | null; projectId: string }) =>
  selectAccess(db, userId, { projectId }),
)

/** Returns the access to the project of a milestone; undefined if the milestone does not exist. */
export function findAccessByMilestone(db: Db, userId: string | null, milestoneId: string) {
  return accessByMilestone.first(db, { userId, milestoneId })
}

const accessByMilestone = prepared(
  (db, { userId, milestoneId }: { userId: string | null; milestoneId: string }) =>
    selectAccess(db, userId, { milestoneId }),
)

/** The access of a writer, with the time zone that they have chosen. `isLocked`: they had the role before the project was locked. */
export type LockedAccess = ProjectAccess & {
  timeZone: string | null
  isLocked: boolean
  /** What has the id with which something is to be created. */
  taken: Kind | null
  /** The files of the draft that the change ends, which is locked; null without one. */
  draftFiles: string[] | null
}

/**
 * Locks the project if the user has one of these roles in it and, with `granted`, if it is among those projects. Returns the
 * access as it is after that; undefined if the project does not exist. Then it locks the draft, before any files, to avoid
 * deadlocks. One round trip (migrations 0052, 0053 and 0094).
 */
export function lockAccess(
  trx: Transaction<Schema>,
  userId: string,
  ref: LockedRef,
  { roles, granted }: { roles: readonly Role[]; granted: readonly string[] | null },
): Promise<LockedAccess | undefined> {
  const projectId = 'projectId' in ref ? ref.projectId : null
  const milestoneId = 'milestoneId' in ref ? ref.milestoneId : null
  return lockedAccess.first(trx, {
    userId,
    projectId,
    milestoneId,
    roles,
    granted,
    wanted: ref.wanted ?? null,
    draft: ref.draft ?? null,
  })
}

type LockQuery = {
  userId: string
  projectId: string | null
  milestoneId: string | null
  roles: readonly Role[]
  granted: readonly string[] | null
  wanted: string | null
  draft: string | null
}

const lockedAccess = prepared((db, v: LockQuery) =>
  db
    .selectFrom(
      sql<Omit<LockedAccess, 'draftFiles'>>`lock_access(
        ${v.userId}::uuid, ${v.projectId}::uuid, ${v.milestoneId}::uuid, ${v.roles}::text[], ${v.granted}::uuid[],
        ${v.wanted}::uuid)`.as('a'),
    )
    .select(['projectId', 'role', 'isPublic', 'bytes', 'timeZone', 'isLocked', 'taken'])
    .select(
      sql<string[] | null>`case when "isLocked" and ${v.draft}::uuid is not null
        then lock_draft(${v.draft}::uuid, ${v.userId}::uuid) end`.as('draftFiles'),
    ),
)

/** The owner or an accepted collaborator of a project. */
export type Membership = { projectId: string; userId: string }

/** Returns the owners and accepted collaborators of projects. */
export async function listMembers(db: Db, projectIds: string[]): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select id as "projectId", owner_id as "userId" from live_projects where id = any(${projectIds}::uuid[])
    union
    select c.project_id, c.user_id from collaborators c join live_projects p on p.id = c.project_id
    where c.project_id = any(${projectIds}::uuid[]) and c.status = 'accepted' and c.user_id is not null`.execute(
    db,
  )
  return rows
}

/** A project in which a person takes part. */
export type OwnProject = { id: string; title: string; isPublic: boolean }

/** Returns the live projects that a person owns or is a member of, of those that an access token allows (null: of all). */
export async function listOwnProjects(
  db: Db,
  userId: string,
  granted: readonly string[] | null,
): Promise<OwnProject[]> {
  const { rows } = await sql<OwnProject>`
    select p.id, p.title, p.is_public as "isPublic" from live_projects p
    where (p.owner_id = ${userId} or exists (
        select from collaborators c where c.project_id = p.id and c.user_id = ${userId} and c.status = 'accepted'))
      and (${granted}::uuid[] is null or p.id = any(${granted}::uuid[]))`.execute(db)
  return rows
}

/** Serializes the writers of a project. Everything in a project is changed only while its row is locked. */
export async function lockProject(trx: Transaction<Schema>, projectId: string): Promise<void> {
  await trx.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
}

const roleOf = (userId: string | null) =>
  sql<Role | null>`case when p.owner_id = ${userId} then 'owner' else c.role end`

/** Selects the access of a user (null: a visitor), for a statement that also reads something else. */
export function selectAccess(db: Db, userId: string | null, ref: ProjectRef) {
  const access = db
    .selectFrom('live_projects as p')
    .leftJoin('collaborators as c', (join) =>
      join.onRef('c.project_id', '=', 'p.id').on('c.user_id', '=', userId).on('c.status', '=', 'accepted'),
    )
    .select([
      'p.id as projectId',
      'p.is_public as isPublic',
      roleOf(userId).as('role'),
      sql<number>`p.text_bytes + p.file_bytes`.as('bytes'),
    ])
  if ('projectId' in ref) return access.where('p.id', '=', ref.projectId)
  const ofMilestone = sql<string>`(select project_id from live_milestones where id = ${ref.milestoneId})`
  return access.where('p.id', '=', ofMilestone)
}

/** Returns whether a user is an administrator of this server. */
export async function isAdministrator(db: Db, userId: string): Promise<boolean> {
  return (await administrator.first(db, { userId })) !== undefined
}

const administrator = prepared((db, { userId }: { userId: string }) =>
  db.selectFrom('users').select('id').where('id', '=', userId).where('is_admin', '=', true),
)

/** Locks and returns the administrators. `isHere`: their account is not being deleted. */
export function lockAdministrators(trx: Transaction<Schema>): Promise<{ id: string; isHere: boolean }[]> {
  return trx
    .selectFrom('users')
    .select(['id', sql<boolean>`leaving_since is null`.as('isHere')])
    .where('is_admin', '=', true)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
