import { sql } from 'kysely'
import type { CollaborationQuery, CollaboratorStatus } from '#contract/collaborators.ts'
import type { Db } from '#server/database/rows.ts'
import { collaborators } from './store.ts'

/** What is looked for: what a person answered, and what is open to, or was declined for, their address (null: none). */
export type Mine = { userId: string; email: string | null } & Pick<CollaborationQuery, 'search' | 'status'>

export async function countMine(db: Db, mine: Mine): Promise<number> {
  const { total } = await db
    .selectFrom(idsOf(db, mine).as('mine'))
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** A stretch of them, newest first; those before it are passed over in the indexes alone, unless it is a search. */
export function listMine(db: Db, mine: Mine, { offset, limit }: { offset: number; limit: number }) {
  return collaborators(db)
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select([
      'p.title as project_title',
      'p.description as project_description',
      'p.is_public as project_is_public',
    ])
    .where('c.id', 'in', (q) =>
      q
        .selectFrom(idsOf(db, mine).as('mine'))
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

function idsOf(db: Db, { userId, email, search, status }: Mine) {
  const found = db
    .selectFrom('collaborators as c')
    .select(['c.id', 'c.created_at'])
    .$if(status !== 'all', (those) => those.where('c.status', '=', status as CollaboratorStatus))
    .$if(search !== undefined && search !== '', (those) => those.where(inProject(search ?? '')))
  const answered = found.where('c.user_id', '=', userId)
  if (email === null) return answered
  return answered.unionAll(
    found
      .where('c.user_id', 'is', null)
      .where(sql`lower(c.email)`, '=', sql`lower(${email})`)
      .where(
        sql<boolean>`not exists (select from projects p where p.id = c.project_id and p.owner_id = ${userId})`,
      ),
  )
}

function inProject(text: string) {
  const pattern = `%${text.replaceAll(/[%_\\]/g, '\\$&')}%`
  return sql<boolean>`exists (
    select from projects p where p.id = c.project_id
    and folded(p.title || e'\\x1f' || p.description) like folded(${pattern}))`
}
