import { plainHtml } from '#markdown/plain-text.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { referencesIn } from '#server/files/files-in-html.ts'
import { showFilesOfEntries } from '#server/files/uses.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { type Rendered, type RenderingRecord, saveRendering } from './rendering-store.ts'
import type { EntryRecord } from './store.ts'

/** The rendered content of an entry. */
export type RenderedContent = Pick<RenderingRecord, 'html' | 'headings'>

/** All readers in the queue of the renderer, where they share one turn. */
const READERS = clientNamed('readers')

type Deps = Pick<AppDeps, 'db' | 'renderer' | 'log'>
type Written = Rendered & { content: string }

/**
 * Returns the stored rendering if it is of this version of the entry and of the current renderer; otherwise renders and
 * stores the content; within a snapshot, which cannot be written to, it only renders. If the renderer fails or is overloaded, it returns the
 * rendering of an older renderer, or plain text, and stores nothing.
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
    if (!db.isTransaction) await saveRendering(db, entry, rendering)
    return rendering
  } catch (error) {
    log.warn({ err: error, entry: entry.id }, 'an entry could not be rendered yet')
    return isOfVersion ? stored : { html: plainHtml(entry.content), headings: [] }
  }
}

/** Returns the rendered content with the URLs of its files for this reader, and with playable videos. */
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

/** Whether an entry's cover is shown above its text: it is, unless the text contains it. */
const hasPictureAbove = (row: EntryRecord, html: string) =>
  row.cover !== null && !referencesIn(html).includes(row.cover.id)

/** A PeerTube video as rendered (markdown/links.ts): the host of its URL, the rest of the URL, and its id. */
const peertube = / href="https:\/\/([^/"]+)(\/[^"]*)" data-peertube="([\w-]+)"/g

/** Makes PeerTube videos on these hosts playable in the page; others remain links. */
export function playVideosOf(html: string, hosts: readonly string[]): string {
  if (hosts.length === 0 || !html.includes(' data-peertube="')) return html
  return html.replace(peertube, (link, host: string, path: string, id: string) =>
    hosts.includes(host) ? ` href="https://${host}${path}" data-video="peertube" data-id="${id}"` : link,
  )
}
