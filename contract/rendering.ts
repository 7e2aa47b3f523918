import type { CallInput, CallResponse } from './call.ts'
import type { CallName, Calls } from './calls.ts'

/**
 * Runs a call of the API in process, as a visitor, to read the data of pages that are rendered on the server. Throws an error
 * with `code` and `status` if the call is refused.
 */
export type RunCall = <N extends CallName>(
  name: N,
  input: CallInput<Calls[N]>,
) => Promise<CallResponse<Calls[N]>>

/** The dependencies of rendering one page on the server. `nonce` marks the page's own scripts and is only read by the server. */
export type RenderContext = { runCall: RunCall; nonce: string; report: (error: unknown) => void }

/** Renders the page at a URL. */
export type Render = (url: URL, context: RenderContext, signal: AbortSignal) => Promise<Response>

/**
 * The search parameters that a route's loader and screen read, in their canonical order, each with a function that returns a
 * value's canonical form, or undefined if the value is equivalent to omitting the parameter. A page with a parameter that is
 * `bypass` is never cached. A route module that exports `cachedParams` has a page that is the same for everybody. It is rendered
 * from its canonical URL only, so a parameter that is missing here never reaches the loader.
 */
export type CachedParams = { [name: string]: ((value: string) => string | undefined) | 'bypass' }

/** The route that a path matches; it has `cachedParams` if its pages are cached. */
export type RouteMatch = {
  /** Such as `/world/:projectId`; `*` matches every path without a screen. */
  pattern: string
  params: { [name: string]: string | undefined }
  cachedParams: CachedParams | undefined
}

/** The exports of a build of the pages that the server uses. */
export type PagesBuild = {
  render: Render
  /** The patterns of the routes whose pages are cached, with their search parameters. */
  cachedRoutes: { pattern: string; cachedParams: CachedParams }[]
  matchRoute: (pathname: string) => RouteMatch | null
}
