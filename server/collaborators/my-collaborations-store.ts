import { sql } from 'kysely'
import type { CollaborationQuery, CollaboratorStatus } from '#contract/collaborators.ts'
import { containing } from '#server/database/containing.ts'
import { type CoverJson, coverOfProject, tintOfProject } from '#server/database/covers.ts'
import { type LastEntryRecord, lastEntryOf } from '#server/database/last-entry.ts'
import type { Db } from '#server/database/rows.ts'
import { type CollaboratorRecord, collaborators, type Invitee, isForInvitee, wasShownTo } from './store.ts'

/** A collaborator with the project. */
export type CollaborationRecord = CollaboratorRecord & {
  project_title: string
  project_description: string
  project_is_public: boolean
  milestone_count: number
  completed_milestone_count: number
  last_entry: LastEntryRecord | null
  cover: CoverJson | null
  tint: number | null
}

/** The collaborations of a person: invitations that they answered, and open ones. */
export type MyCollaborationsFilter = Invitee &
  Pick<CollaborationQuery, 'search' | 'status'> & {
    /** Only in these projects. */
    projectIds: readonly string[] | null
  }

export type CollaborationCounts = { total: number; shownEarlier: number }

export async function countMyCollaborations(
  db: Db,
  mine: MyCollaborationsFilter,
): Promise<CollaborationCounts> {
  const answered = await count(db, answeredBy(db, mine))
  const addressed = mine.proof === 'unproven' ? 0 : await count(db, addressedTo(db, mine))
  const shownEarlier = await count(db, shownEarlierTo(db, mine))
  return { total: answered + addressed + shownEarlier, shownEarlier }
}

/**
 * A page of them, newest first. Those that the person answered, and those to their address, are read by an index in this order,
 * only as far as needed. Those that they were shown at a former address are few, and mostly none.
 */
export function listMyCollaborationRows(
  db: Db,
  mine: MyCollaborationsFilter,
  {
    offset,
    limit,
    shownEarlier,
  }: { offset: number; limit: number } & Pick<CollaborationCounts, 'shownEarlier'>,
) {
  const first = offset + limit
  return collaborators(db)
    .innerJoin('live_projects as p', 'p.id', 'c.project_id')
    .select([
      'p.title as project_title',
      'p.description as project_description',
      'p.is_public as project_is_public',
      'p.milestone_count',
      'p.completed_milestone_count',
    ])
    .select([
      lastEntryOf('p.id'),
      coverOfProject('p'),
      tintOfProject('p', sql`c.status <> 'accepted' or p.no_cover`),
    ])
    .where('c.id', 'in', (q) =>
      q
        .selectFrom(
          q
            .selectFrom(newest(answeredBy(db, mine), first).as('answered'))
            .selectAll()
            .$if(shownEarlier > 0, (more) =>
              more.unionAll(q.selectFrom(newest(shownEarlierTo(db, mine), first).as('shown')).selectAll()),
            )
            .$if(mine.proof !== 'unproven', (both) =>
              both.unionAll(q.selectFrom(newest(addressedTo(db, mine), first).as('addressed')).selectAll()),
            )
            .as('mine'),
        )
        .select('mine.id')
        .orderBy('mine.created_at', 'desc')
        .orderBy('mine.id', 'desc')
        .offset(offset)
        .limit(limit),
    )
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .execute()
}

type Found = ReturnType<typeof found>

async function count(db: Db, those: Found): Promise<number> {
  const { total } = await db
    .selectFrom(those.as('those'))
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const newest = (those: Found, limit: number) =>
  those.orderBy('c.created_at', 'desc').orderBy('c.id', 'desc').limit(limit)

/** A scalar subquery instead of `exists`, so that the planner evaluates it only for the rows of a page, in index order. */
const isOfLiveProject = sql<boolean>`(select true from live_projects p where p.id = c.project_id)`

function found(db: Db, { search, status, projectIds }: MyCollaborationsFilter) {
  return db
    .selectFrom('collaborators as c')
    .select(['c.id', 'c.created_at'])
    .where(isOfLiveProject)
    .$if(projectIds !== null, (those) => those.where(sql<boolean>`c.project_id = any(${projectIds}::uuid[])`))
    .$if(status !== 'all', (those) => those.where('c.status', '=', status as CollaboratorStatus))
    .$if(search !== undefined && search !== '', (those) => those.where(inProject(search ?? '')))
}

const answeredBy = (db: Db, mine: MyCollaborationsFilter) =>
  found(db, mine).where('c.user_id', '=', mine.userId)

/** The person's own projects are excluded by a list instead of a join, to keep the index order. */
const addressedTo = (db: Db, mine: MyCollaborationsFilter) =>
  found(db, mine)
    .where('c.user_id', 'is', null)
    .where(isForInvitee(mine))
    .where('c.project_id', 'not in', (q) =>
      q.selectFrom('live_projects').select('id').where('owner_id', '=', mine.userId),
    )

/** The invitations that the person was shown at a former address of their account. */
const shownEarlierTo = (db: Db, mine: MyCollaborationsFilter) =>
  found(db, mine)
    .where('c.user_id', 'is', null)
    .where('c.id', 'in', (q) =>
      q.selectFrom('invitation_notices').select('collaborator_id').where('user_id', '=', mine.userId),
    )
    .where(wasShownTo(mine.userId))
    .where((q) => q.not(isForInvitee(mine)))

function inProject(text: string) {
  return sql<boolean>`exists (
    select from live_projects p where p.id = c.project_id
    and searchable(p.title || e'\\x1f' || p.description) like ${containing(text)})`
}
