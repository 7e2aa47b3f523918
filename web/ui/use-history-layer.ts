import { useEffectEvent, useLayoutEffect } from 'react'
import { HistoryLayers } from './history-layers.ts'

let layers: HistoryLayers | undefined

/** The layers of this page. The first call, before the router is made, has them listen. */
export function historyLayers(): HistoryLayers {
  layers ??= new HistoryLayers(window)
  return layers
}

/** Has Back close something that is open above the page. `close` returns whether it closes; it may ask first. */
export function useHistoryLayer(isOpen: boolean, close: () => boolean): void {
  const closeByBack = useEffectEvent(close)

  useLayoutEffect(() => (isOpen ? historyLayers().open(() => closeByBack()) : undefined), [isOpen])
}
