import type { FastifyBaseLogger } from 'fastify'
import type { PagesOptions } from '#server/pages.ts'
import { type FinishedPage, finish } from './finished.ts'
import { contentSecurityPolicy } from './headers.ts'
import type { MountedBuild } from './mounted-build.ts'
import { SCRIPT_MARK } from './scripts.ts'

/** A page that has all that pages share: the scripts, the policy, the settings that screens are told. */
const SAMPLE_URL = '/markdown-guide'

/** Renders pages of a build and finishes them. */
export function createPageMaker(build: MountedBuild, options: PagesOptions) {
  let shared: Promise<string> | undefined

  /** Renders the page for one request; `signal` ends the work when nobody waits any more. */
  async function make(url: URL, log: FastifyBaseLogger, signal: AbortSignal, etag?: string) {
    const report = (error: unknown) => log.error({ err: error }, 'a page failed')
    const context = { answer: options.answer, nonce: SCRIPT_MARK, report }
    const rendered = await build.render(url, context, signal)
    return finish(rendered, (scripts) => contentSecurityPolicy(options, scripts), etag)
  }

  /** Renders a page for everybody who waits for it, so that nobody who goes away takes it along. */
  function makeForAll(url: string, log: FastifyBaseLogger, etag?: string): Promise<FinishedPage> {
    return make(new URL(options.publicUrl + url), log, new AbortController().signal, etag)
  }

  /** A text that changes with the build and with every setting that pages show. */
  async function sharedVersion(log: FastifyBaseLogger): Promise<string> {
    shared ??= makeForAll(SAMPLE_URL, log).then(({ headers }) => `${build.version} ${headers.etag}`)
    try {
      return await shared
    } catch (error) {
      shared = undefined
      throw error
    }
  }

  return { make, makeForAll, sharedVersion }
}
