import type { ServerBuild } from 'react-router'
import type { Answer } from '#server/platform/calls.ts'

/** What the rendering of a page is given. */
type Visit = { answer: Answer; nonce: string; report: (error: unknown) => void }

/** Renders the page of an address. */
export type Render = (url: URL, visit: Visit, signal: AbortSignal) => Promise<Response>

type Mode = 'production' | 'development'

/** What `web/entry.server.tsx` offers beyond React Router's own. */
type Entry = { rendererOf: (build: ServerBuild, mode: Mode) => Render }

/** The renderer of a build, which makes it itself. */
export function rendererOf(build: ServerBuild, mode: Mode): Render {
  return (build.entry.module as ServerBuild['entry']['module'] & Entry).rendererOf(build, mode)
}
