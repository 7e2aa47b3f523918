import { sql } from 'kysely'
import { RENDERER_VERSION, type Rendering } from '#markdown/rendering.ts'
import { prepared } from '#server/database/prepared.ts'
import type { EntryRenderingRow } from '#server/database/rows/entries.ts'
import type { Db } from '#server/database/rows.ts'
import type { RenderingSummary } from './store.ts'

/** The version of an entry that was rendered. */
export type Rendered = { id: string; version: number }

export type RenderingRecord = Pick<EntryRenderingRow, 'entry_version' | 'renderer' | 'html'> & {
  headings: Rendering['headings']
}

/** The rendering of an entry, which may be outdated. */
export function findRendering(db: Db, entryId: string): Promise<RenderingRecord | undefined> {
  return renderingOf.first(db, { entryId })
}

const renderingOf = prepared((db, { entryId }: { entryId: string }) =>
  db
    .selectFrom('entry_renderings')
    .select(['entry_version', 'renderer', 'html', 'headings'])
    .where('entry_id', '=', entryId),
)

/** The HTML of these entries by id: of as many, in the given order, as have at most `max` characters in total. */
export async function listHtml(db: Db, ids: string[], max: number): Promise<Map<string, string>> {
  const rows = await htmlOf.all(db, { ids, max })
  return new Map(rows.map(({ entry_id, html }) => [entry_id, html]))
}

const htmlOf = prepared((db, { ids, max }: { ids: string[]; max: number }) => ({
  compile: () =>
    sql<{ entry_id: string; html: string }>`
      select entry_id, html from (
        select r.entry_id, r.html, sum(length(r.html)) over (order by wanted.ordinal) as total
        from unnest(${ids}::uuid[]) with ordinality as wanted (id, ordinal)
        join live_entries e on e.id = wanted.id
        join entry_renderings r on r.entry_id = e.id and r.entry_version = e.version
      ) as fitting where total <= ${max}`.compile(db),
}))

/** Stores a rendering, unless the entry was changed or deleted, or a rendering of a newer version is stored. */
export async function saveRendering(db: Db, { id, version }: Rendered, rendering: Rendering): Promise<void> {
  const { entry_id, entry_version, ...row } = renderingRow({ id, version, rendering })
  await newRendering.all(db, { id: entry_id, version: entry_version, ...row })
}

/** Returns the row of a rendering. */
export const renderingRow = ({ id, version, rendering }: Rendered & { rendering: Rendering }) => ({
  entry_id: id,
  entry_version: version,
  renderer: RENDERER_VERSION,
  rendered_as: rendering.renderedAs,
  excerpt: rendering.excerpt,
  word_count: rendering.wordCount,
  html: rendering.html,
  headings: JSON.stringify(rendering.headings),
})

/** The rendering of a save; `html` null: the content has not changed. */
export type RenderingValues = {
  html: string | null
  excerpt: string
  wordCount: number
  renderedAs: EntryRenderingRow['rendered_as']
  headings: string
}

/** Returns the values of `renderingParts`. */
export const renderingValues = (rendering: Rendering | null): RenderingValues => ({
  html: rendering?.html ?? null,
  excerpt: rendering?.excerpt ?? '',
  wordCount: rendering?.wordCount ?? 0,
  renderedAs: rendering?.renderedAs ?? 'markdown',
  headings: JSON.stringify(rendering?.headings ?? []),
})

/** The parts of the statement that saves an entry, which render the row that its part `entry` returns. */
export const renderingParts = {
  rendering: (v: RenderingValues) => sql<never>`
    insert into entry_renderings (entry_id, entry_version, renderer, rendered_as, excerpt, word_count, html, headings)
    select e.id, e.version, ${sql.lit(RENDERER_VERSION)}, ${v.renderedAs}::text, ${v.excerpt}::text,
      ${v.wordCount}::integer, ${v.html}::text, ${v.headings}::jsonb
    from entry e where ${v.html}::text is not null
    on conflict (entry_id) do update set entry_version = excluded.entry_version, renderer = excluded.renderer,
      rendered_as = excluded.rendered_as, excerpt = excluded.excerpt, word_count = excluded.word_count,
      html = excluded.html, headings = excluded.headings
    where entry_renderings.entry_version <= excluded.entry_version`,

  /** Reuses the rendering of the previous version, which has the same content, and returns it. */
  moved: (v: RenderingValues) => sql<RenderingSummary & RenderingRecord>`
    update entry_renderings r set entry_version = e.version from entry e
    where r.entry_id = e.id and r.entry_version = e.version - 1 and ${v.html}::text is null
    returning r.entry_version, r.renderer, r.html, r.headings, r.excerpt, r.word_count, r.rendered_as`,
}

type Values = Omit<EntryRenderingRow, 'entry_id' | 'entry_version' | 'headings'> &
  Rendered & { headings: string }

const newRendering = prepared((db, values: Values) =>
  db
    .insertInto('entry_renderings')
    .columns([
      'entry_id',
      'entry_version',
      'renderer',
      'rendered_as',
      'excerpt',
      'word_count',
      'html',
      'headings',
    ])
    .expression((q) =>
      q
        .selectFrom('entries')
        .select([
          'id',
          'version',
          sql<number>`${values.renderer}::integer`.as('renderer'),
          sql<Values['rendered_as']>`${values.rendered_as}::text`.as('rendered_as'),
          sql<string>`${values.excerpt}::text`.as('excerpt'),
          sql<number>`${values.word_count}::integer`.as('word_count'),
          sql<string>`${values.html}::text`.as('html'),
          sql<string>`${values.headings}::jsonb`.as('headings'),
        ])
        .where('id', '=', values.id)
        .where('version', '=', values.version),
    )
    .onConflict((conflict) =>
      conflict
        .column('entry_id')
        .doUpdateSet((q) => ({
          entry_version: q.ref('excluded.entry_version'),
          renderer: q.ref('excluded.renderer'),
          rendered_as: q.ref('excluded.rendered_as'),
          excerpt: q.ref('excluded.excerpt'),
          word_count: q.ref('excluded.word_count'),
          html: q.ref('excluded.html'),
          headings: sql<string>`excluded.headings`,
        }))
        .where(sql<boolean>`entry_renderings.entry_version <= excluded.entry_version`),
    ),
)

/** Whether an entry's rendering is missing or made by an older renderer. */
export async function hasUnrendered(db: Db): Promise<boolean> {
  const found = await unrendered(db).select('e.id').limit(1).execute()
  return found.length > 0
}

/** Entries after this one, in the order of their ids, whose rendering is missing or made by an older renderer. */
export function listUnrendered(db: Db, after: string | null, limit: number) {
  return unrendered(db)
    .select(['e.id', 'e.version', 'e.content'])
    .$if(after !== null, (q) => q.where('e.id', '>', after))
    .orderBy('e.id')
    .limit(limit)
    .execute()
}

const unrendered = (db: Db) =>
  db
    .selectFrom('entries as e')
    .leftJoin('entry_renderings as r', (join) =>
      join.onRef('r.entry_id', '=', 'e.id').onRef('r.entry_version', '=', 'e.version'),
    )
    .where((q) => q.or([q('r.entry_id', 'is', null), q('r.renderer', '<', RENDERER_VERSION)]))
