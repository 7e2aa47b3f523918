/** Colours of the page that a diagram takes, by the names of the design tokens. */
export const DIAGRAM_COLORS = ['surface', 'raised', 'sunken', 'ink', 'muted', 'edge'] as const

/** What the page sends to the frame once that is ready: the source of a diagram, and how to draw it. */
export type DrawRequest = {
  source: string
  isDark: boolean
  colors: { [name in (typeof DIAGRAM_COLORS)[number]]: string }
}

/** What the frame sends. `height` is in CSS pixels, and is sent again when it changes; `reason` is one line. */
export type FrameMessage =
  | { kind: 'ready' }
  | { kind: 'drawn'; height: number }
  | { kind: 'failed'; reason: string }

/** The document of the frame (server/pages/build.ts). */
export const DIAGRAM_FRAME_PATH = '/diagrams/frame.html'
