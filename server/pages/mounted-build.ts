import type { ServerBuild } from 'react-router'
import type { PagesBuild, Render } from '#contract/rendering.ts'

/** The pages as they were mounted. */
export type MountedBuild = PagesBuild & {
  /** Tells one build from another. */
  version: string
}

/** What `web/entry.server.tsx` exports beyond React Router's own. */
type Entry = {
  rendererOf: (build: ServerBuild, mode: 'production' | 'development') => Render
  cachedRoutesOf: (build: ServerBuild) => Omit<PagesBuild, 'render'>
}

/** The functions with which a build renders its own pages. */
export const entryOf = (build: ServerBuild) => build.entry.module as ServerBuild['entry']['module'] & Entry
