import type { Piece } from './merge-text.ts'

/** How long a merge may take. It is more than honest writing needs, on any machine. */
export const MERGE_LIMIT_MS = 2_000

/** Two texts and what both were made from; null where that is not known. */
export type Texts = { base: string | null; mine: string; theirs: string }

/** What the worker sends: that it has been loaded, then the merged text. */
export type FromMergeWorker = 'ready' | { pieces: Piece[] }

const startWorker = () => new Worker(new URL('./merge.worker.ts', import.meta.url), { type: 'module' })

/**
 * Merges texts in a worker that is stopped when it takes too long, so that no text can hold the page up. The whole text is
 * one conflict then, and where the worker cannot be loaded: a person decides.
 */
export function runMerge(texts: Texts, start: () => Worker = startWorker): Promise<Piece[]> {
  const { mine, theirs } = texts
  const worker = start()
  let timer: ReturnType<typeof setTimeout> | undefined
  const merging = new Promise<Piece[]>((resolve) => {
    const ask = () => resolve(mine === theirs ? [{ same: mine }] : [{ mine, theirs }])
    worker.addEventListener('error', (event) => {
      event.preventDefault() // the person is asked
      ask()
    })
    worker.addEventListener('message', ({ data }: MessageEvent<FromMergeWorker>) => {
      if (data !== 'ready') return resolve(data.pieces)
      // A slow network says nothing about a text: the time is that of the merge.
      timer = setTimeout(ask, MERGE_LIMIT_MS)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a worker has none
      worker.postMessage(texts)
    })
  })
  return merging.finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}
