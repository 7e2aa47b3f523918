type MediaWidgets = typeof import('./media-widgets.ts')

let loaded: MediaWidgets | undefined

/** What draws the files of a text, once it has been loaded: an editor that has it at once moves nothing after its first paint. */
export const loadedMediaWidgets = (): MediaWidgets | undefined => loaded

export async function loadMediaWidgets(): Promise<MediaWidgets> {
  loaded = await import('./media-widgets.ts')
  return loaded
}
