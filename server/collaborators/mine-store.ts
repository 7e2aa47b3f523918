import { sql } from 'kysely'
import type { CollaborationQuery, CollaboratorStatus } from '#contract/collaborators.ts'
import type { Db } from '#server/database/rows.ts'
import { type Invitee, isForInvitee } from './notice-store.ts'
import { collaborators } from './store.ts'

/** What is looked for: what a person answered, and what waits for their answer. */
export type Mine = Invitee & Pick<CollaborationQuery, 'search' | 'status'>

export async function countMine(db: Db, mine: Mine): Promise<number> {
  const answered = await count(db, answeredBy(db, mine))
  return mine.proof === 'unproven' ? answered : answered + (await count(db, addressedTo(db, mine)))
}

/** A stretch of them, newest first. Each of the two kinds comes by its index in this order, as far as it is needed. */
export function listMine(db: Db, mine: Mine, { offset, limit }: { offset: number; limit: number }) {
  const first = offset + limit
  return collaborators(db)
    .innerJoin('projects as p', 'p.id', 'c.project_id')
    .select([
      'p.title as project_title',
      'p.description as project_description',
      'p.is_public as project_is_public',
    ])
    .where('c.id', 'in', (q) =>
      q
        .selectFrom(
          q
            .selectFrom(newest(answeredBy(db, mine), first).as('answered'))
            .selectAll()
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

function found(db: Db, { search, status }: Mine) {
  return db
    .selectFrom('collaborators as c')
    .select(['c.id', 'c.created_at'])
    .$if(status !== 'all', (those) => those.where('c.status', '=', status as CollaboratorStatus))
    .$if(search !== undefined && search !== '', (those) => those.where(inProject(search ?? '')))
}

const answeredBy = (db: Db, mine: Mine) => found(db, mine).where('c.user_id', '=', mine.userId)

/** The projects of one's own are left out as a list, and not by a join, so that the index's order is kept. */
const addressedTo = (db: Db, mine: Mine) =>
  found(db, mine)
    .where('c.user_id', 'is', null)
    .where(isForInvitee(mine))
    .where('c.project_id', 'not in', (q) =>
      q.selectFrom('projects').select('id').where('owner_id', '=', mine.userId),
    )

function inProject(text: string) {
  const pattern = `%${text.replaceAll(/[%_\\]/g, '\\$&')}%`
  return sql<boolean>`exists (
    select from projects p where p.id = c.project_id
    and folded(p.title || e'\\x1f' || p.description) like folded(${pattern}))`
}
