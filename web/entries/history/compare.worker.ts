import type { Compared, Comparison } from './changes.tsx'
import { compare } from './compare.ts'

/** For each text; lists by lines take a moment even where the words do not fit in. */
const MS_MAX = 1_500

addEventListener('message', ({ data }: MessageEvent<Comparison>) => {
  const compared: Compared = data.map(([before, after]) => compare(before, after, MS_MAX))
  postMessage(compared)
})
