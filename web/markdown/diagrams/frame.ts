// Runs in a frame with an opaque origin: it draws the diagrams that the page sends, and has no access to the page or the site.
// scripts/copy-diagrams.ts builds it into a separate script, so it imports only types.
import type { DrawRequest, FrameMessage } from './protocol.ts'

type Mermaid = {
  initialize: (options: object) => void
  render: (id: string, source: string) => Promise<{ svg: string }>
}

/** Of the script before this one. */
declare const mermaid: Mermaid

/** The layout of longer sources, or of more edges, takes seconds. */
const SOURCE_MAX = 10_000
const EDGES_MAX = 280

const send = (message: FrameMessage) => parent.postMessage(message, '*')

async function draw({ source, isDark, colors }: DrawRequest) {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  document.body.style.background = colors.surface
  mermaid.initialize({
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
  const { svg } = await mermaid.render('diagram', source)
  document.body.innerHTML = svg
  const drawn = document.querySelector('svg')
  if (!drawn) throw new Error('nothing was drawn')
  const sendHeight = () => {
    // A drawing that was replaced because of new colors is no longer in the document.
    if (drawn.isConnected) send({ kind: 'drawn', height: drawn.getBoundingClientRect().height })
  }
  // The observer alone would wait until the frame is visible.
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
