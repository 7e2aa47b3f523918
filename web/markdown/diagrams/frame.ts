// Runs in a frame without an origin: it draws what the page sends, and can reach nothing of the page or the site.
// Built by scripts/copy-diagrams.ts into a script of its own, so it imports types alone.
import type { DrawRequest, FrameMessage } from './protocol.ts'

type Mermaid = {
  initialize: (options: object) => void
  render: (id: string, source: string) => Promise<{ svg: string }>
}

/** Longer sources and more edges take the layout seconds. */
const SOURCE_MAX = 10_000
const EDGES_MAX = 280

const { mermaid: library } = globalThis as unknown as { mermaid: Mermaid }
const send = (message: FrameMessage) => parent.postMessage(message, '*')

async function draw({ source, isDark, colors }: DrawRequest) {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  document.body.style.background = colors.surface
  library.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: SOURCE_MAX,
    maxEdges: EDGES_MAX,
    theme: 'base',
    fontFamily: 'system-ui, sans-serif',
    themeVariables: {
      darkMode: isDark,
      background: colors.surface,
      mainBkg: colors.raised,
      primaryColor: colors.raised,
      primaryTextColor: colors.ink,
      primaryBorderColor: colors.edge,
      secondaryColor: colors.sunken,
      tertiaryColor: colors.surface,
      textColor: colors.ink,
      lineColor: colors.muted,
      noteBkgColor: colors.sunken,
      noteTextColor: colors.ink,
      noteBorderColor: colors.edge,
    },
  })
  const { svg } = await library.render('diagram', source)
  document.body.innerHTML = svg
  const drawn = document.querySelector('svg')
  if (!drawn) throw new Error('nothing was drawn')
  const sendHeight = () => {
    // One that was drawn again, in other colours, is not in the document any more.
    if (drawn.isConnected) send({ kind: 'drawn', height: drawn.getBoundingClientRect().height })
  }
  // Not left to the observer, which waits for a frame that is shown.
  sendHeight()
  new ResizeObserver(sendHeight).observe(drawn)
}

addEventListener('message', ({ source, data }: MessageEvent<DrawRequest>) => {
  if (source !== parent) return
  draw(data).catch((error: unknown) => {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    send({ kind: 'failed', reason: reason.replace(/[.:]$/, '') })
  })
})
send({ kind: 'ready' })
