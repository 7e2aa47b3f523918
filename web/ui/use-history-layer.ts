import { useEffectEvent, useLayoutEffect } from 'react'
import { HistoryLayers } from './history-layers.ts'

let layers: HistoryLayers | undefined

/** Returns the history layers of this page. The first call registers their listener and must precede the router's creation. */
export function historyLayers(): HistoryLayers {
  layers ??= new HistoryLayers(window)
  return layers
}

/** Makes the browser's Back close an open layer. `close` may ask first; it returns whether it closes. */
export function useHistoryLayer(isOpen: boolean, close: () => boolean): void {
  const closeByBack = useEffectEvent(close)

  useLayoutEffect(() => (isOpen ? historyLayers().open(() => closeByBack()) : undefined), [isOpen])
}
