import type { ServerBuild } from 'react-router'
import type { Answer } from '#server/platform/calls.ts'

/** What the rendering of a page is given; `nonce` marks the page's own scripts. */
type Visit = { answer: Answer; nonce: string; report: (error: unknown) => void }

/** Renders the page of an address. */
export type Render = (url: URL, visit: Visit, signal: AbortSignal) => Promise<Response>

/**
 * Where a page stands that is the same for everybody: its own address, and the public project that it shows. `missing`:
 * where there never is anything, and what is shown is the same as here if there is nothing.
 */
export type Place = { address: string; projectId?: string; missing?: string }

/** The place of an address; null where pages are not kept. */
export type PlaceOf = (url: URL) => Place | null

/** The pages as they were mounted. */
export type MountedBuild = {
  render: Render
  placeOf: PlaceOf
  /** Tells one build from another. */
  version: string
}

type Mode = 'production' | 'development'

/** What `web/entry.server.tsx` offers beyond React Router's own. */
type Entry = {
  rendererOf: (build: ServerBuild, mode: Mode) => Render
  placesOf: (build: ServerBuild) => PlaceOf
}

/** The renderer of a build, which makes it itself. */
export function rendererOf(build: ServerBuild, mode: Mode): Render {
  return entryOf(build).rendererOf(build, mode)
}

/** What a build knows of the places of its pages. */
export function placesOf(build: ServerBuild): PlaceOf {
  return entryOf(build).placesOf(build)
}

const entryOf = (build: ServerBuild) => build.entry.module as ServerBuild['entry']['module'] & Entry
