import { plainHtml } from '#markdown/plain-text.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { referencesIn } from '#server/files/files-in-html.ts'
import { showFilesOfEntries } from '#server/files/uses.ts'
import type { Caller } from '#server/platform/calls.ts'
import { type Rendered, type RenderingRecord, saveRendering } from './rendering-store.ts'
import { type EntryRecord, imageOf } from './store.ts'

/** What the content of an entry is shown as. */
export type RenderedContent = Pick<RenderingRecord, 'html' | 'headings'>

/** In whose name the renderer works for readers, who all take one turn together. */
const READERS = 'readers'

type Deps = Pick<AppDeps, 'db' | 'renderer' | 'log'>
type Written = Rendered & { content: string }

/**
 * What an entry's content is shown as: what is stored, if it is that of this version of the entry and of no older
 * renderer; else it is rendered and stored now. Call it with no transaction open. Where the renderer has no time, the
 * entry is shown as it was rendered before, or else as plain text, and that is not stored.
 */
export async function renderForReading(
  { db, renderer, log }: Deps,
  entry: Written,
  stored: RenderingRecord | undefined,
): Promise<RenderedContent> {
  const isOfVersion = stored?.entry_version === entry.version
  if (isOfVersion && stored.renderer >= RENDERER_VERSION) return stored
  try {
    const rendering = await renderer.render(READERS, entry.content)
    await saveRendering(db, entry, rendering)
    return rendering
  } catch (error) {
    log.warn({ err: error, entry: entry.id }, 'an entry could not be rendered yet')
    return isOfVersion ? stored : { html: plainHtml(entry.content), headings: [] }
  }
}

/** What an entry is shown as, with its files for this reader, and the videos that may play in the page. */
export async function withFiles<Text extends { html: string }>(
  deps: Pick<AppDeps, 'links' | 'fileSettings'> & { db: Db },
  row: EntryRecord,
  reading: Text,
  reader: Caller | null,
): Promise<Text> {
  const isBelowPicture = hasPictureAbove(row, reading.html)
  const shown = await showFilesOfEntries(deps, new Map([[row.id, reading.html]]), { reader, isBelowPicture })
  const html = shown.get(row.id) ?? reading.html
  return { ...reading, html: playVideosOf(html, deps.fileSettings.videoHosts) }
}

/** Whether an entry's cover is shown above its text, which it is unless the text shows it too. */
const hasPictureAbove = (row: EntryRecord, html: string) =>
  row.cover ? !referencesIn(html).includes(row.cover.id) : imageOf(row) !== null

/** A video of PeerTube as the renderer writes it (markdown/links.ts): the host of its URL, the rest of it, and its id. */
const peertube = / href="https:\/\/([^/"]+)(\/[^"]*)" data-peertube="([\w-]+)"/g

/** Makes the videos of PeerTube playable in the page that are on these hosts; the others stay links. */
export function playVideosOf(html: string, hosts: readonly string[]): string {
  if (hosts.length === 0 || !html.includes(' data-peertube="')) return html
  return html.replace(peertube, (link, host: string, path: string, id: string) =>
    hosts.includes(host) ? ` href="https://${host}${path}" data-video="peertube" data-id="${id}"` : link,
  )
}
