import { plainHtml } from '#markdown/plain-text.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import type { AppDeps } from '#server/deps.ts'
import { type Rendered, type RenderingRecord, saveRendering } from './rendering-store.ts'

/** What the content of an entry is shown as. */
export type Reading = Pick<RenderingRecord, 'html' | 'headings'>

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
): Promise<Reading> {
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
