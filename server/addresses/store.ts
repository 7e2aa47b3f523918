import type { Transaction } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Returns the slugs of a project, the latest first. */
export function listSlugs(db: Db, projectId: string) {
  return db
    .selectFrom('project_slugs')
    .select(['slug', 'is_current'])
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('slug')
    .execute()
}

/** Leaves a project without a current slug. */
export async function retireSlugs(trx: Transaction<Schema>, projectId: string): Promise<void> {
  await trx
    .updateTable('project_slugs')
    .set({ is_current: false })
    .where('project_id', '=', projectId)
    .where('is_current', '=', true)
    .execute()
}

/** Makes a slug the current one of a project that has none. Returns whether it is not the slug of another project. */
export async function takeSlug(
  trx: Transaction<Schema>,
  { projectId, slug, now }: { projectId: string; slug: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: taken = 0n } = await trx
    .insertInto('project_slugs')
    .values({ slug, project_id: projectId, is_current: true, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ is_current: true })
        .where('project_slugs.project_id', '=', projectId),
    )
    .executeTakeFirst()
  return taken > 0n
}

/** Returns the id of the public project with this current or former slug. */
export async function findProjectWithSlug(db: Db, slug: string): Promise<string | null> {
  return (await projectWithSlug.first(db, { slug }))?.id ?? null
}

const projectWithSlug = prepared((db, { slug }: { slug: string }) =>
  db
    .selectFrom('project_slugs as s')
    .innerJoin('public_projects as p', 'p.id', 's.project_id')
    .select('p.id')
    .where('s.slug', '=', slug),
)
