import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { HistoryLayers } from './history-layers.ts'

let layers: HistoryLayers | undefined

/** The layers of this page. */
export function historyLayers(): HistoryLayers {
  layers ??= new HistoryLayers(window)
  return layers
}

/** Has Back close something that is open above the page. `close` returns whether it closes; it may ask first. */
export function useHistoryLayer(isOpen: boolean, close: () => boolean): void {
  const closeByBack = useEffectEvent(close)

  useEffect(() => void historyLayers(), [])

  useLayoutEffect(() => (isOpen ? historyLayers().open(() => closeByBack()) : undefined), [isOpen])
}
