import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { PagesOptions } from '#server/pages.ts'
import { encodingIn } from '#server/platform/encoding.ts'
import { isKnown } from '#server/platform/validator.ts'
import { encodePage, type FinishedPage, finish } from './finished.ts'
import { createKeptTargets } from './front.ts'
import { contentSecurityPolicy, knownHeaders } from './headers.ts'
import { createKeeper } from './keeper.ts'
import type { MountedBuild } from './renderer.ts'
import { SCRIPT_MARK } from './scripts.ts'

/** The page that stands for what all pages share: the build, the policy, the settings that screens are told. */
const SPECIMEN = '/markdown-guide'

/** Answers requests for pages, from what is kept or else by rendering them; `ahead` is what can be answered without it. */
export function createPageHandler(build: MountedBuild, options: PagesOptions) {
  const { answer, publicUrl } = options
  const keeper = createKeeper({ ...options, edition, make: makeForAll })
  const targets = createKeptTargets()

  async function make(url: URL, log: FastifyBaseLogger, signal: AbortSignal, validator?: string) {
    const report = (error: unknown) => log.error({ err: error }, 'a page failed')
    const rendered = await build.render(url, { answer, nonce: SCRIPT_MARK, report }, signal)
    return finish(rendered, (scripts) => contentSecurityPolicy(options, scripts), validator)
  }

  /** For everybody who waits for it, so that nobody who goes away takes it along. */
  function makeForAll(address: string, log: FastifyBaseLogger, validator?: string) {
    return make(new URL(publicUrl + address), log, new AbortController().signal, validator)
  }

  async function edition(log: FastifyBaseLogger): Promise<string> {
    const { headers } = await makeForAll(SPECIMEN, log)
    return `${build.version} ${headers.etag}`
  }

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const { 'accept-encoding': accepted, 'if-none-match': ifNoneMatch } = request.headers
    // The page's address under the origin that people know, however the request names it (`//elsewhere`).
    const url = new URL(publicUrl + request.url)
    const place = build.placeOf(url)
    const kept = place && (await keeper.find(place, request.log))
    const { validator } = kept ?? {}
    if (validator && ifNoneMatch !== '*' && isKnown(validator, ifNoneMatch))
      return sendKnown(reply, validator)
    const encoding = encodingIn(accepted)
    const page = kept
      ? await kept.inEncoding(encoding)
      : await encodePage(await make(url, request.log, untilClosed(reply)), encoding)
    if (kept && page.status === 200) targets.learn(request.originalUrl, place)
    return send(reply, page, ifNoneMatch)
  }

  return { handle, ahead: { keeper, targets } }
}

function untilClosed(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  return closed.signal
}

function send(reply: FastifyReply, { status, headers, body }: FinishedPage, ifNoneMatch: string | undefined) {
  const { etag: validator } = headers
  if (validator && isKnown(validator, ifNoneMatch)) return sendKnown(reply, validator)
  return reply.code(status).headers(headers).send(body)
}

function sendKnown(reply: FastifyReply, validator: string) {
  return reply
    .code(304)
    .headers({ ...knownHeaders, etag: validator })
    .send()
}
