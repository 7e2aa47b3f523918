/** The colors of the page that a diagram uses, by the names of the design tokens. */
export const DIAGRAM_COLORS = ['surface', 'raised', 'sunken', 'ink', 'muted', 'edge'] as const

/** The request that the page sends once the frame is ready: the source of a diagram, and its options. */
export type DrawRequest = {
  source: string
  isDark: boolean
  colors: { [name in (typeof DIAGRAM_COLORS)[number]]: string }
}

/** The messages of the frame. `height` is in CSS pixels, and is sent again when it changes; `reason` is one line. */
export type FrameMessage =
  | { kind: 'ready' }
  | { kind: 'drawn'; height: number }
  | { kind: 'failed'; reason: string }

/** The document of the frame (server/pages/build.ts). */
export const DIAGRAM_FRAME_PATH = '/diagrams/frame.html'
