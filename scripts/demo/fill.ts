import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { dayIn } from '#contract/parts/date-formats.ts'
import { renderMarkdown } from '#markdown/render.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import type { EntryRenderingRow, EntryRow } from '#server/database/rows/entries.ts'
import type { MilestoneRow } from '#server/database/rows/milestones.ts'
import type { Schema } from '#server/database/rows.ts'
import { defaultFileSettings } from '#server/files/settings.ts'
import { recordCover, recordTextFiles } from '#server/files/uses.ts'
import type { Author, Furnishing } from './album.ts'
import { type DemoEntry, entryWriter, type Subject, subjects } from './content.ts'
import { withPicture, writeDraft, writeFeature } from './features.ts'
import { type Random, seeded } from './random.ts'

/** The numbers of projects, milestones per project, and entries per milestone. */
export type Sizes = { projects: number; milestones: number; entries: number; seed: number }

/** Adds people and pictures to an existing project. Without it there are only texts. */
export type Furnish = (project: { id: string; subject: Subject; seed: number }) => Promise<Furnishing>

/** Far below the 65,535 parameters that PostgreSQL accepts in one statement. */
const ROWS_PER_STATEMENT = 2_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The duration of a project. */
const SPAN = 150 * DAY
const LEAD = 20 * DAY

/** Fills the database with projects of one owner, the newest last. Every second one is public. */
export async function fill(db: Kysely<Schema>, ownerId: string, sizes: Sizes, furnish?: Furnish) {
  const random = seeded(sizes.seed)
  const made: { id: string; isPublic: boolean }[] = []
  for (let index = 0; index < sizes.projects; index++) {
    const subject = subjects[index % subjects.length]
    if (!subject) throw new Error('there is no subject to write about')
    const isPublic = index % 2 === 0
    const plan = { ...sizes, isPublic, random, index, furnish }
    made.push({ id: await fillProject(db, ownerId, subject, plan), isPublic })
  }
  return made
}

type Plan = Sizes & { isPublic: boolean; random: Random; index: number; furnish: Furnish | undefined }

async function fillProject(
  db: Kysely<Schema>,
  ownerId: string,
  subject: Subject,
  plan: Plan,
): Promise<string> {
  const { random } = plan
  const id = uuidv7()
  const round = Math.floor(plan.index / subjects.length)
  const steps = plan.milestones * (plan.entries + 1) + 1
  const start = Date.now() - SPAN - (plan.projects - plan.index) * HOUR
  const at = (step: number) => new Date(start + (step / steps) * SPAN)
  const milestones = Array.from({ length: plan.milestones }, (_, index) => {
    const [from, until] = [index, index + 1].map((step) => at(step * (plan.entries + 1)))
    return milestoneRow(id, subject, index, { from: from ?? at(0), until: until ?? at(0) })
  })
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('projects')
      .values({
        id,
        owner_id: ownerId,
        title: round === 0 ? subject.title : `${subject.title} (${round + 1})`,
        description: subject.description,
        is_public: plan.isPublic,
        created_at: at(0),
        updated_at: at(0),
      })
      .execute()
    for (const rows of chunks(milestones)) await trx.insertInto('milestones').values(rows).execute()
  })

  const furnishing = await plan.furnish?.({ id, subject, seed: plan.seed + plan.index })
  const write = entryWriter(subject, random)
  const entries = milestones.flatMap((milestone, index) =>
    Array.from({ length: plan.entries }, (_, entry) =>
      entryRow(milestone.id, write(), at(index * (plan.entries + 1) + entry + 1)),
    ),
  )
  const current = currentOf(plan)
  const places = {
    feature: milestones[2] ?? milestones.at(-1),
    draft: milestones[current] ?? milestones.at(-1),
  }
  const more = furnishing ? decorate(entries, { ...furnishing, subject, random, ...places }) : []
  const all = [...entries, ...more]
  await db.transaction().execute(async (trx) => {
    for (const rows of chunks(all)) {
      await trx.insertInto('entries').values(rows).execute()
      await trx.insertInto('entry_renderings').values(rows.map(renderingRow)).execute()
    }
    await complete(
      trx,
      milestones.slice(0, current).map((milestone) => milestone.id),
    )
    if (furnishing)
      await recordPictures(
        trx,
        { id, ownerId, cover: (furnishing.pictures[3] ?? furnishing.pictures[0])?.fileId },
        all,
      )
  })
  return id
}

/** The milestone in progress. In one project of six everything is completed. */
const currentOf = ({ index, milestones }: Plan) =>
  index % 6 === 4 ? milestones : Math.max(0, milestones - 1 - (index % 3))

function milestoneRow(projectId: string, subject: Subject, index: number, time: { from: Date; until: Date }) {
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
    completed: false,
    starts_on: dayIn('UTC', time.from),
    due_on: dayIn('UTC', new Date(time.until.getTime() + LEAD)),
    created_at: time.from,
    updated_at: time.until,
  } satisfies Insertable<MilestoneRow>
}

/** Completes milestones. A trigger sets their completion time to their last update. */
async function complete(trx: Transaction<Schema>, ids: string[]): Promise<void> {
  await trx
    .updateTable('milestones')
    .set({ completed: true })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

type DemoRow = Insertable<EntryRow> & { id: string; content: string; created_at: Date }

function entryRow(milestoneId: string, entry: DemoEntry, written: Date): DemoRow {
  return { id: uuidv7(), milestone_id: milestoneId, ...entry, created_at: written, updated_at: written }
}

type EntryRef = { id: string } | undefined
type Decoration = Furnishing & { subject: Subject; random: Random; feature: EntryRef; draft: EntryRef }

/** Sets the authors, days and pictures of entries; returns additional ones: a long one with many features, and a draft. */
function decorate(rows: DemoRow[], { authors, pictures, subject, random, ...places }: Decoration): DemoRow[] {
  const [owner, editor = owner] = authors
  if (!owner || !editor) throw new Error('nobody writes here')
  const picture = random.deck(pictures)
  for (const [index, row] of rows.entries()) {
    Object.assign(row, signed(row, index % 3 === 2 ? editor : owner, random))
    if (random.between(0, 3) === 0) row.content = withPicture(row.content, picture())
    if (random.between(0, 5) > 0) row.cover_file_id = picture().fileId
  }
  const { feature, draft } = places
  if (!feature || !draft) return []
  const times = rows.filter((row) => row.milestone_id === feature.id).map((row) => row.created_at.getTime())
  const latest = new Date(Math.max(...times, Date.now() - SPAN) + HOUR)
  const shown = entryRow(feature.id, writeFeature(subject, pictures), latest)
  const hidden = entryRow(draft.id, writeDraft(random.pick(subject.things)), new Date(Date.now() - HOUR))
  return [
    { ...shown, ...signed(shown, owner), cover_file_id: pictures.at(-1)?.fileId ?? null },
    { ...hidden, ...signed(hidden, owner), state: 'draft' },
  ]
}

/** Sets the author and time zone; with a generator, one in four was written some days after it happened. */
function signed({ created_at: written }: DemoRow, author: Author, random?: Random) {
  const late = random?.between(0, 4) === 0 ? random.between(1, 3) * DAY : 0
  const happened = new Date(written.getTime() - late)
  return {
    author_id: author.userId,
    author_name: author.name,
    happened_at: happened,
    happened_on: dayIn(author.zone, happened),
    happened_zone: author.zone,
  }
}

/** Records the pictures of the texts and the covers like the services do. */
async function recordPictures(
  trx: Transaction<Schema>,
  project: { id: string; ownerId: string; cover: string | undefined },
  rows: DemoRow[],
): Promise<void> {
  const writing = { projectId: project.id, writerId: project.ownerId }
  if (project.cover) {
    await recordCover(trx, { projectId: project.id }, project.cover, writing)
    await trx
      .updateTable('projects')
      .set({ cover_file_id: project.cover })
      .where('id', '=', project.id)
      .execute()
  }
  for (const { id, content, cover_file_id: cover } of rows) {
    const { html } = renderMarkdown(content)
    await recordTextFiles(trx, id, html, { ...writing, limits: defaultFileSettings.fileLimits })
    if (cover) await recordCover(trx, { entryId: id }, cover, writing)
  }
}

/** The demo's texts are trusted, so they are rendered in this process. */
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

function* chunks<T>(rows: T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
    yield rows.slice(from, from + ROWS_PER_STATEMENT)
}
