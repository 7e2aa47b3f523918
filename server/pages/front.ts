import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { encodingIn } from '#server/platform/encoding.ts'
import { namesOneHost } from '#server/platform/hosts.ts'
import type { AnswerReady, ReadyAnswer } from '#server/platform/ready.ts'
import { isKnown } from '#server/platform/validator.ts'
import type { FinishedPage } from './finished.ts'
import { knownHeaders } from './headers.ts'
import type { Keeper, RecalledPage } from './keeper.ts'
import type { Place } from './renderer.ts'

const MAX_TARGETS = 5_000
const MAX_TARGET_CHARACTERS = 512

/** The addresses, as requests name them, under which a page was answered that is kept. */
export type KeptTargets = {
  learn: (target: string, place: Place) => void
  get: (target: string) => Place | undefined
}

export function createKeptTargets(): KeptTargets {
  const places = new LRUCache<string, Place>({ max: MAX_TARGETS })
  return {
    learn: (target, place) => {
      if (target.length <= MAX_TARGET_CHARACTERS) places.set(target, place)
    },
    get: (target) => places.get(target),
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** What answering ahead of the app takes. */
export type Ahead = {
  targets: KeptTargets
  keeper: Keeper
  /** Of all that the pages consist of. */
  siteHeaders: Record<string, string>
  answerReady: AnswerReady
  /** Whether requests are to be answered at all. */
  isOpen: () => boolean
}

/**
 * Answers what is kept ahead of the app, whose way to the same bytes costs more than the bytes. Whatever else is asked,
 * or is no longer so, takes the app's way untouched.
 */
export function answerAhead(
  app: FastifyInstance,
  { targets, keeper, siteHeaders, answerReady, isOpen }: Ahead,
) {
  const blocks = new WeakMap<FinishedPage, string[]>()
  const unchanged = listed({ ...siteHeaders, ...knownHeaders })

  function headersOf(page: FinishedPage): string[] {
    const ready = blocks.get(page)
    if (ready) return ready
    const block = listed({ ...siteHeaders, ...page.headers, 'content-length': String(page.body.length) })
    blocks.set(page, block)
    return block
  }

  function answerOf(kept: RecalledPage | null, { headers }: IncomingMessage): ReadyAnswer | null {
    if (!kept) return null
    const { 'if-none-match': known } = headers
    if (known !== undefined && known !== '*' && isKnown(kept.validator, known))
      return { status: 304, headers: [...unchanged, 'etag', kept.validator] }
    const page = kept.inEncoding(encodingIn(headers['accept-encoding']))
    return page ? { status: page.status, headers: headersOf(page), body: page.body } : null
  }

  const [behind] = app.server.listeners('request') as Listener[]
  if (!behind) throw new Error('the app listens to no requests')
  app.server.removeListener('request', behind)
  app.server.on('request', (request, response) => {
    const place = isPlainRead(request) ? targets.get(request.url ?? '') : undefined
    if (!place || !isOpen()) return behind(request, response)
    const exchange = { request, response, since: performance.now() }
    const failed = (error: unknown) => {
      app.log.error({ err: error }, 'a kept page could not be sent')
      response.destroy()
    }
    try {
      const ready = answerOf(keeper.recall(place), request)
      if (ready) return answerReady(exchange, ready)
    } catch (error) {
      return failed(error)
    }
    keeper
      .recallAnew(place)
      // Whatever is wrong is found again by the app, where it can be told.
      .catch(() => null)
      .then((kept) => {
        const found = answerOf(kept, request)
        return found ? answerReady(exchange, found) : behind(request, response)
      })
      .catch(failed)
  })
}

const listed = (headers: Record<string, string>) => Object.entries(headers).flat()

function isPlainRead(request: IncomingMessage): boolean {
  const { method, headers } = request
  return (
    method === 'GET' &&
    namesOneHost(request) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}
