import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { v7 as uuidv7 } from 'uuid'
import { renderMarkdown } from '#markdown/render.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import { entryWriter, subjects } from '#scripts/demo/content.ts'
import { seeded } from '#scripts/demo/random.ts'
import { inOrderOfReference } from '#server/backup/backup.ts'
import { findReferences } from '#server/backup/store.ts'
import { TABLES } from '#server/backup/tables.ts'

/** The amount of other people's data in the database of a row. */
export type Size = { accounts: number; projects: number; milestones: number; entries: number }

/** The approximate length of entries, so that a million of them fits on the disk of a laptop. Those of the demo are three times as long. */
const CONTENT_LENGTH = 600
const TEXTS = 200
const SPAN_MS = 400 * 24 * 3_600_000

type Values = (string | number | boolean)[]

/** The number of projects that are written by COPY with the triggers enabled. The others are copies of their rows. */
const SEED_PROJECTS = 500

/** Fills a migrated database by COPY with the triggers enabled. Every second project is public. */
export async function fillByCopy(client: Client, size: Size): Promise<void> {
  const owners = Array.from({ length: size.accounts }, () => uuidv7())
  const columns = ['id', 'issuer', 'subject', 'name', 'email', 'email_verified', 'created_at', 'updated_at']
  await copy(client, 'users', columns, owners.map(account))
  const indexes = Array.from({ length: size.projects }, (_, index) => index)
  await copyProjects(client, indexes, { size, owners, texts: someTexts() })
}

/**
 * Fills a migrated database with many more rows: some by COPY, the others as copies of these under other ids, and finally the
 * search index, by its definition in `model`. Continues after an interruption.
 */
export async function fillLarge(client: Client, size: Size, model: Client): Promise<void> {
  const times = size.projects / SEED_PROJECTS
  if ((await countProjects(client)) >= size.projects) return
  await client.query('drop index if exists entries_search')
  if ((await countProjects(client)) === 0) {
    await fillByCopy(client, { ...size, accounts: size.accounts / times, projects: SEED_PROJECTS })
    await client.query('create schema growth')
    for (const table of await filledTables(client))
      await client.query(`create table growth.${table} as select * from ${table}`)
  }
  const tables = await filledTables(client, 'growth')
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  for (let step = (await countProjects(client)) / SEED_PROJECTS; step < times; step += 1) {
    await client.query('begin')
    for (const table of tables) await client.query(await copyStatement(client, table, step))
    await client.query('commit')
  }
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
  await client.query('drop schema growth cascade')
  await createMissingIndexes(client, model)
}

async function countProjects(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>('select count(*) from projects')
  return Number(rows[0]?.count)
}

/** Returns the tables of people's data that have rows, each after those that it references. */
async function filledTables(client: Client, schema = 'public'): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1',
    [schema],
  )
  const filled: string[] = []
  const present = TABLES.flatMap((name) => (rows.some((row) => row.name === name) ? { name } : []))
  for (const { name: table } of inOrderOfReference(present, await findReferences(client))) {
    const { rowCount } = await client.query(`select from ${schema}.${table} limit 1`)
    if (rowCount) filled.push(table)
  }
  return filled
}

/** Copies the seed's rows of a table. Every id is replaced, consistently in all references. */
async function copyStatement(client: Client, table: string, step: number): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select quote_ident(attname) as name, atttypid::regtype::text as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
    [table],
  )
  const values = rows.map(({ name, type }) => {
    if (type === 'uuid')
      return `overlay(${name}::text placing substr(md5(${name}::text || '${step}'), 1, 12) from 25)::uuid`
    return table === 'users' && name === 'subject' ? `subject || '-${step}'` : name
  })
  return `insert into ${table} (${rows.map(({ name }) => name).join(', ')}) select ${values.join(', ')} from growth.${table}`
}

async function createMissingIndexes(client: Client, model: Client): Promise<void> {
  await client.query("set maintenance_work_mem = '512MB'")
  const { rows } = await model.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where schemaname = 'public' and indexname = 'entries_search'",
  )
  for (const { indexdef } of rows) await client.query(indexdef)
}

const account = (id: string, index: number): Values => [
  id,
  'urn:milepost:growth',
  String(index),
  'Grace Hopper',
  `grace-${index}@example.com`,
  true,
  'now',
  'now',
]

type Text = { title: string; content: string; tags: string[]; rendering: ReturnType<typeof renderMarkdown> }

function someTexts(): Text[] {
  const random = seeded(1)
  const writers = subjects.map((subject) => entryWriter(subject, random))
  return Array.from({ length: TEXTS }, (_, index) => {
    const written = writers[index % writers.length]?.()
    if (!written) throw new Error('there is no subject to write about')
    const content = written.content.slice(0, CONTENT_LENGTH)
    return { title: written.title, content, tags: [...written.tags], rendering: renderMarkdown(content) }
  })
}

type Source = { size: Size; owners: string[]; texts: Text[] }

async function copyProjects(client: Client, indexes: number[], { size, owners, texts }: Source) {
  const projects = indexes.map((index) => ({ index, id: uuidv7() }))
  const milestones = projects.flatMap(({ index, id: project }) =>
    Array.from({ length: size.milestones }, () => ({ index, project, id: uuidv7() })),
  )
  const entries = milestones.flatMap(({ index, id: milestone }) =>
    Array.from({ length: size.entries }, (_, count) => ({ index, count, milestone, id: uuidv7() })),
  )
  const written = (index: number, count = 0) =>
    new Date(Date.now() - SPAN_MS + (index / size.projects) * SPAN_MS + count * 60_000).toISOString()
  const textAt = (index: number, count: number) => texts[(index * 7 + count) % texts.length] as Text
  const times = ['created_at', 'updated_at']
  await copy(
    client,
    'projects',
    ['id', 'owner_id', 'title', 'description', 'is_public', ...times],
    projects.map(({ index, id }) => [
      id,
      owners[index % owners.length] ?? '',
      `Project ${index}`,
      'One of many.',
      index % 2 === 0,
      written(index),
      written(index),
    ]),
  )
  await copy(
    client,
    'milestones',
    ['id', 'project_id', 'title', 'description', 'completed', ...times],
    milestones.map(({ index, project, id }) => [
      id,
      project,
      'A step',
      'One of some.',
      false,
      written(index),
      written(index),
    ]),
  )
  await copy(
    client,
    'entries',
    ['id', 'milestone_id', 'title', 'content', 'tags', ...times],
    entries.map(({ index, count, milestone, id }) => {
      const { title, content, tags } = textAt(index, count)
      return [
        id,
        milestone,
        title,
        content,
        `{${tags.map((tag) => JSON.stringify(tag)).join(',')}}`,
        written(index, count),
        written(index, count),
      ]
    }),
  )
  await copy(
    client,
    'entry_renderings',
    ['entry_id', 'entry_version', 'renderer', 'rendered_as', 'excerpt', 'word_count', 'html', 'headings'],
    entries.map(({ index, count, id }) => {
      const { renderedAs, excerpt, wordCount, html, headings } = textAt(index, count).rendering
      return [id, 1, RENDERER_VERSION, renderedAs, excerpt, wordCount, html, JSON.stringify(headings)]
    }),
  )
}

async function copy(client: Client, table: string, columns: string[], rows: Values[]): Promise<void> {
  const sink = client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(lines(rows)), sink)
}

/** Yields rows in the text format of COPY, some hundred at a time. */
function* lines(rows: Values[]): Generator<string> {
  for (let first = 0; first < rows.length; first += 500)
    yield rows
      .slice(first, first + 500)
      .map((row) => `${row.map((value) => escaped(String(value))).join('\t')}\n`)
      .join('')
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escaped = (text: string) => text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '')
