import type { Compared, Comparison } from './changes.tsx'
import { compare } from './compare.ts'

/** The time limit for each text; the comparison by lines may take a moment longer. */
const MS_MAX = 1_500

addEventListener('message', ({ data }: MessageEvent<Comparison>) => {
  const compared: Compared = data.map(([before, after]) => compare(before, after, MS_MAX))
  postMessage(compared)
})
