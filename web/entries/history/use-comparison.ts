import { useEffect, useState } from 'react'
import { type Piece, whole } from './compare.ts'

/** Pairs of an earlier and a later text. */
export type Comparison = [before: string, after: string][]
export type Compared = Piece[][]

/** After this, texts are shown without a comparison, whatever the worker does. */
const PATIENCE_MS = 5_000

const startWorker = () => new Worker(new URL('./compare.worker.ts', import.meta.url), { type: 'module' })

/** Returns how texts differ, or undefined until that is known; a worker compares them, so that no text holds up the page. */
export function useComparison(texts: Comparison): Compared | undefined {
  const key = JSON.stringify(texts)
  const [result, setResult] = useState<{ key: string; compared: Compared }>()

  useEffect(() => {
    const asked = JSON.parse(key) as Comparison
    const finish = (compared: Compared) => setResult({ key, compared })
    const giveUp = () => finish(asked.map(([before, after]) => whole(before, after)))
    const worker = startWorker()
    const timer = setTimeout(giveUp, PATIENCE_MS)
    worker.addEventListener('message', ({ data }: MessageEvent<Compared>) => {
      clearTimeout(timer)
      finish(data)
    })
    worker.addEventListener('error', giveUp)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage(asked)
    return () => {
      clearTimeout(timer)
      worker.terminate()
    }
  }, [key])

  return result?.key === key ? result.compared : undefined
}
