import type { Insertable, Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { renderMarkdown } from '#markdown/render.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import type { EntryRenderingRow, EntryRow, MilestoneRow, Schema } from '#server/database/rows.ts'
import { type Random, type Subject, seeded, subjects, writeEntry } from './content.ts'

/** How many projects; milestones in each; entries in each milestone. */
export type Sizes = { projects: number; milestones: number; entries: number; seed: number }

/** Far below the 65,535 parameters that PostgreSQL takes in one statement. */
const ROWS_PER_STATEMENT = 2_000
const HOUR = 3_600_000

/** Fills the database with projects of one owner, the newest last, every second one public. */
export async function fill(db: Kysely<Schema>, ownerId: string, sizes: Sizes) {
  const random = seeded(sizes.seed)
  const made: { id: string; isPublic: boolean }[] = []
  for (let index = 0; index < sizes.projects; index++) {
    const subject = subjects[index % subjects.length]
    if (!subject) throw new Error('there is no subject to write about')
    const isPublic = index % 2 === 0
    made.push({
      id: await fillProject(db, ownerId, subject, { ...sizes, isPublic, random, index }),
      isPublic,
    })
  }
  return made
}

type Plan = Sizes & { isPublic: boolean; random: Random; index: number }

async function fillProject(
  db: Kysely<Schema>,
  ownerId: string,
  subject: Subject,
  plan: Plan,
): Promise<string> {
  const id = uuidv7()
  const round = Math.floor(plan.index / subjects.length)
  const steps = plan.milestones * (plan.entries + 1)
  const start = Date.now() - (steps + plan.projects - plan.index) * HOUR
  const at = (step: number) => ({
    created_at: new Date(start + step * HOUR),
    updated_at: new Date(start + step * HOUR),
  })
  const milestones = Array.from({ length: plan.milestones }, (_, index) =>
    milestoneRow(id, subject, index, plan.milestones, at(index * (plan.entries + 1))),
  )
  const entries = milestones.flatMap((milestone, index) =>
    Array.from({ length: plan.entries }, (_, entry) =>
      entryRow(milestone.id, subject, plan.random, at(index * (plan.entries + 1) + entry + 1)),
    ),
  )
  await db.transaction().execute(async (trx) => {
    const title = round === 0 ? subject.title : `${subject.title} (${round + 1})`
    await trx
      .insertInto('projects')
      .values({
        id,
        owner_id: ownerId,
        title,
        description: subject.description,
        is_public: plan.isPublic,
        ...at(0),
      })
      .execute()
    for (const rows of chunks(milestones)) await trx.insertInto('milestones').values(rows).execute()
    for (const rows of chunks(entries)) {
      await trx.insertInto('entries').values(rows).execute()
      await trx.insertInto('entry_renderings').values(rows.map(renderingRow)).execute()
    }
  })
  return id
}

type Times = { created_at: Date; updated_at: Date }

function milestoneRow(projectId: string, subject: Subject, index: number, all: number, times: Times) {
  const [title, description] = subject.milestones[index % subject.milestones.length] ?? [
    'Next',
    'What comes next.',
  ]
  const round = Math.floor(index / subject.milestones.length)
  return {
    id: uuidv7(),
    project_id: projectId,
    title: round === 0 ? title : `${title} (${round + 1})`,
    description,
    completed: index < all / 2,
    ...times,
  } satisfies Insertable<MilestoneRow>
}

/** The demo's texts are our own: they need no process of their own to be rendered in. */
function renderingRow({ id, content }: { id: string; content: string }) {
  const { renderedAs, wordCount, headings, ...rendering } = renderMarkdown(content)
  return {
    entry_id: id,
    entry_version: 1,
    renderer: RENDERER_VERSION,
    rendered_as: renderedAs,
    word_count: wordCount,
    headings: JSON.stringify(headings),
    ...rendering,
  } satisfies Insertable<EntryRenderingRow>
}

function entryRow(milestoneId: string, subject: Subject, random: Random, times: Times) {
  return {
    id: uuidv7(),
    milestone_id: milestoneId,
    ...writeEntry(subject, random),
    ...times,
  } satisfies Insertable<EntryRow>
}

function* chunks<T>(rows: T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
    yield rows.slice(from, from + ROWS_PER_STATEMENT)
}
