import { sql, type Transaction } from 'kysely'
import type { ProjectChange, ProjectFields } from '#contract/projects.ts'
import { coverOfProject, tintOfProject, withoutCover } from '#server/database/covers.ts'
import { finishedFacts } from '#server/database/finished.ts'
import { lastEntryOf } from '#server/database/last-entry.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { coverChoice } from '#server/files/present.ts'
import { withChange } from '#server/platform/changes/changes.ts'

const columns = [
  'id',
  'title',
  'description',
  'is_public',
  'visibility',
  'cover_file_id',
  'no_cover',
  'version',
  'milestone_count',
  'completed_milestone_count',
  'created_at',
  'updated_at',
] as const

/** When the latest live entry happened. */
const lastEntryAt = sql<Date | null>`last_entry_at(id)`.as('last_entry_at')

/** Further selections of a statement on this table or view. */
const detailsOf = (projects: 'projects' | 'live_projects') =>
  [
    lastEntryAt,
    coverOfProject(projects),
    tintOfProject(projects, withoutCover(projects)),
    lastEntryOf(`${projects}.id`),
  ] as const

/** A project without its owner, for presenters. */
export type ProjectRecord = Awaited<ReturnType<typeof listProjectsOf>>[number]

/** Returns the projects of an owner, newest first. */
export function listProjectsOf(db: Db, ownerId: string) {
  return projectsOf.all(db, { ownerId })
}

const projectsOf = prepared((db, { ownerId }: { ownerId: string }) =>
  db
    .selectFrom('live_projects')
    .select(columns)
    .select(detailsOf('live_projects'))
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
)

export function findProject(db: Db, id: string) {
  return project.first(db, { id })
}

const project = prepared((db, { id }: { id: string }) => remembered(db).where('id', '=', id))

/** Returns a project that this account has created, whoever owns it. */
export function findProjectOfMaker(db: Db, id: string, makerId: string) {
  return remembered(db)
    .where('id', '=', id)
    .where(
      sql<boolean>`exists (select from projects p where p.id = live_projects.id and created_by = ${makerId})`,
    )
    .executeTakeFirst()
}

const changes = sql<string[]>`(select c.changes from project_changes c where c.id = live_projects.id)`

const remembered = (db: Db) =>
  db
    .selectFrom('live_projects')
    .select(columns)
    .select(detailsOf('live_projects'))
    .select(changes.as('changes'))

/** Adds a project; returns undefined if its id is taken. */
export function insertProject(
  db: Db,
  project: { id: string; ownerId: string; changes: string[]; now: Date } & ProjectFields,
) {
  return db
    .insertInto('projects')
    .values({
      id: project.id,
      owner_id: project.ownerId,
      title: project.title,
      description: project.description,
      visibility: project.visibility ?? (project.isPublic ? 'public' : 'private'),
      created_by: project.ownerId,
      changes: project.changes,
      created_at: project.now,
      updated_at: project.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .returning(detailsOf('projects'))
    .executeTakeFirst()
}

export function updateProjectRow(
  trx: Transaction<Schema>,
  id: string,
  fields: ProjectChange,
  { change, now }: { change: string | null; now: Date },
) {
  return trx
    .updateTable('projects')
    .set({
      title: fields.title,
      description: fields.description,
      // A trigger keeps both columns consistent. The changed one decides; if both changed, the visibility.
      visibility: fields.visibility,
      is_public: fields.isPublic,
      ...coverChoice(fields.coverFile),
      version: sql`version + 1`,
      changes: withChange(change),
      updated_at: now,
    })
    .where('id', '=', id)
    .returning(columns)
    .returning(detailsOf('projects'))
    .executeTakeFirstOrThrow()
}

/** The facts of a project with only completed milestones. */
export const finishedOf = prepared((db, { projectId }: { projectId: string }) =>
  db.selectNoFrom(finishedFacts(sql`${projectId}::uuid`).as('finished')),
)
