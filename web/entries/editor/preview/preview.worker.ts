import { renderMarkdown } from '#markdown/render.ts'
import type { FromWorker } from './preview-renderer.ts'

const send = (message: FromWorker) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<string>) => send({ html: renderMarkdown(data).html }))
send('ready')
