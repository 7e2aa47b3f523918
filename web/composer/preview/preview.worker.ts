import type { Highlight, ToMathml } from '#markdown/extras.ts'
import { formatMarkdown } from '#markdown/format.ts'
import type { FromWorker } from './preview-renderer.ts'

const send = (message: FromWorker) => postMessage(message)

/** The libraries for code and formulas, each loaded for the first text that may need it. */
const extras: { highlight?: Highlight; toMathml?: ToMathml } = {}

async function loadExtras(content: string): Promise<void> {
  const needed: Promise<unknown>[] = []
  if (!extras.highlight && /```|~~~/.test(content))
    needed.push(
      import('#markdown/highlight.ts').then(({ highlight }) => Object.assign(extras, { highlight })),
    )
  if (!extras.toMathml && /\$|\\[([]|(?:```|~~~)\s*math/.test(content))
    needed.push(import('#markdown/mathml.ts').then(({ toMathml }) => Object.assign(extras, { toMathml })))
  if (needed.length === 0) return
  send('loading')
  // If loading fails, code and formulas remain plain text; the next text tries again.
  await Promise.allSettled(needed)
  send('loaded')
}

async function render(content: string): Promise<void> {
  await loadExtras(content)
  send({ html: formatMarkdown(content, extras).html })
}

addEventListener('message', ({ data }: MessageEvent<string>) => void render(data).catch(reportError))
send('ready')
