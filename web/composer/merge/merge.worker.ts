import { mergeText } from './merge-text.ts'
import type { FromMergeWorker, Texts } from './save-merging.ts'

const send = (message: FromMergeWorker) => postMessage(message)

addEventListener('message', ({ data: { base, mine, theirs } }: MessageEvent<Texts>) =>
  send({ pieces: mergeText(base, mine, theirs) }),
)
send('ready')
