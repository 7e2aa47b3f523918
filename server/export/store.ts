import { sql } from 'kysely'
import type { Scope } from '#contract/parts/call.ts'
import { offers } from '#server/database/offered.ts'
import type { Db } from '#server/database/rows.ts'

/** Returns the live projects that a person owns or is a member of, owned ones first, then by creation. */
export function listProjectsOf(db: Db, userId: string, projectIds: readonly string[] | null) {
  return db
    .selectFrom('live_projects as p')
    .leftJoin('collaborators as c', (join) =>
      join.onRef('c.project_id', '=', 'p.id').on('c.user_id', '=', userId).on('c.status', '=', 'accepted'),
    )
    .select([
      'p.id',
      'p.title',
      'p.description',
      'p.visibility',
      'p.cover_file_id',
      'p.no_cover',
      'p.version',
    ])
    .select(['p.created_at', 'p.updated_at', 'c.role'])
    .select(sql<boolean>`p.owner_id = ${userId}`.as('is_own'))
    .where((where) => where.or([where('p.owner_id', '=', userId), where('c.id', 'is not', null)]))
    .$if(projectIds !== null, (query) =>
      query.where('p.id', '=', sql<string>`any(${projectIds ?? []}::uuid[])`),
    )
    .orderBy('is_own', 'desc')
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute()
}

export type ProjectRecord = Awaited<ReturnType<typeof listProjectsOf>>[number]

type EntryBatch = {
  milestoneId: string
  /** The author of the drafts. */
  reader: string
  /** Whether entries of others are excluded. */
  ownAlone: boolean
  /** The id of the last entry of the previous batch. */
  after: string | undefined
  limit: number
}

const entryColumns = [
  'id',
  'title',
  'content',
  'tags',
  'cover_file_id',
  'no_cover',
  'first_picture_id',
  'happened_at',
  'happened_on',
  'happened_zone',
  'author_name',
  'state',
  'published_at',
  'version',
  'created_at',
  'updated_at',
] as const

/** Returns the entries of a milestone that a person may see, oldest first, after the given one. */
export function listEntries(db: Db, { milestoneId, reader, ownAlone, after, limit }: EntryBatch) {
  return db
    .selectFrom('entries_and_drafts')
    .select(entryColumns)
    .where('milestone_id', '=', milestoneId)
    .where((where) =>
      ownAlone
        ? where('author_id', '=', reader)
        : where.or([where('state', '=', 'published'), where('author_id', '=', reader)]),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(happened_at, id) > (select happened_at, id from entries_and_drafts where id = ${after})`,
      ),
    )
    .orderBy('happened_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type EntryRecord = Awaited<ReturnType<typeof listEntries>>[number]

/** Returns an entry that a person may see, with the titles above it. */
export async function findEntry(db: Db, { entryId, reader }: { entryId: string; reader: string }) {
  const entry = await db
    .selectFrom('entries_and_drafts')
    .select(entryColumns)
    .select('milestone_id')
    .where('id', '=', entryId)
    .where((where) => where.or([where('state', '=', 'published'), where('author_id', '=', reader)]))
    .executeTakeFirst()
  if (!entry) return undefined
  const titles = await db
    .selectFrom('live_milestones as m')
    .innerJoin('live_projects as p', 'p.id', 'm.project_id')
    .select(['m.title as milestone', 'p.title as project'])
    .where('m.id', '=', entry.milestone_id)
    .executeTakeFirst()
  return titles && { entry, titles }
}

/** Finds the open session or valid access token that requested an archive. */
export async function findRequester(db: Db, { userId, id, isProgram }: Requester, now: Date) {
  const { rows } = await sql<HeldGrant>`
    select null::text[] as scopes, null::uuid[] as project_ids, null::timestamptz as expires_at from sessions
    where not ${isProgram} and id = ${id} and user_id = ${userId} and revoked_at is null
    union all select scopes, project_ids, expires_at from access_tokens
    where ${isProgram} and id = ${id} and user_id = ${userId} and 'read' = any(scopes)
      and (expires_at is null or expires_at > ${now})`.execute(db)
  return rows[0]
}

/** All fields are null for a session. */
type HeldGrant = { scopes: Scope[] | null; project_ids: string[] | null; expires_at: Date | null }

/** The requester: a person by the id of their session, or a program by that of its access token. */
export type Requester = { userId: string; id: string; isProgram: boolean }

/** Whether a public project offers its readers to download it. */
export async function offersDownloads(db: Db, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    select from public_projects p where p.id = ${projectId} and ${offers('downloads', 'p.id')}`.execute(db)
  return rows.length > 0
}
