import { inSnapshot } from '#server/database/snapshot.ts'
import { createFiles, type Item, listFiles } from '#server/files/archive/files.ts'
import { slugOf } from '#server/files/archive/names.ts'
import { shownCover } from '#server/files/present.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { requireExportable } from './access.ts'
import { entryText } from './collect-projects.ts'
import { type Exported, type Making, ZIP } from './making.ts'
import { findEntry } from './store.ts'
import type { ZipEntry } from './zip.ts'
import { fileEntry, textEntry } from './zip-entries.ts'

/** Collects an entry as Markdown with front matter; with its files beside it, if it has any. */
export async function makeEntry(making: Making<Caller>, entryId: string): Promise<Exported> {
  const { deps, caller } = making
  const items: Item[] = []
  const { stem, text, at } = await inSnapshot(deps.db, async (db) => {
    await requireExportable({ ...deps, db }, caller, { entry: entryId })
    const found = await findEntry(db, { entryId, reader: caller.userId })
    if (!found) throw notFound('Entry')
    const { entry, titles } = found
    const files = createFiles('files', async (item) => void items.push(item))
    const shown = await files.added(await listFiles(db, { entryIds: [entryId] }))
    const cover = shown.find(({ _id }) => _id === shownCover(entry))?.name
    const context = { project: { title: titles.project }, milestone: { title: titles.milestone } }
    return {
      stem: `${entry.happened_on}-${slugOf(entry.title)}`,
      text: entryText(entry, { ...context, cover, shown, files: 'files' }),
      at: entry.updated_at,
    }
  })
  if (items.length === 0) return { name: `${stem}.md`, type: 'text/markdown; charset=utf-8', text }
  const markdown = textEntry(`${stem}.md`, text, at)
  return { name: `${stem}.zip`, type: ZIP, entries: entriesOf(making, markdown, items) }
}

async function* entriesOf(
  { deps }: Making<Caller>,
  markdown: ZipEntry,
  items: Item[],
): AsyncGenerator<ZipEntry> {
  yield markdown
  const missing: string[] = []
  for (const item of items) {
    if (!('key' in item)) continue
    const entry = await fileEntry(deps, { path: item.path, key: item.key, mtime: new Date(item.at) })
    if (entry) yield entry
    else missing.push(item.path)
  }
  if (missing.length > 0) yield textEntry('missing-files.txt', `${missing.join('\n')}\n`, markdown.mtime)
}
