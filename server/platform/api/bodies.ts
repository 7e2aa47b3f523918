import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withEllipsis } from '#contract/parts/characters.ts'
import { AppError, invalid } from './errors.ts'

/** The maximum depth of nested lists and objects in a body. */
const DEPTH_MAX = 32
/** The maximum number of values in a body. */
const VALUES_MAX = 10_000

/** JSON, and the types of programs that are written in it, such as `application/vnd.api+json`. */
const JSON_TYPES = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i

/**
 * Accepts JSON as the only type of body besides forms. An empty body counts as no body, because clients send one with
 * DELETE. Bytes that are no text are refused: some programs send other encodings than they say, and letters would be lost.
 */
export function readBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    const text = textOf(request, body as Buffer)
    if (text instanceof AppError) done(text)
    else if (text.length === 0) done(null, undefined)
    else if (isTooComplex(text))
      done(invalid([{ path: '', message: 'The body is nested too deeply or too long' }]))
    else
      void parse(request, text, (error: Error | null, value?: unknown) =>
        error ? done(notJson(text)) : done(null, value),
      )
  })
}

const SHOWN_CHARACTERS = 40

/** Some shells take the quotes out of what they send: who reads how it arrived sees that. */
function notJson(text: string): AppError {
  const [shown = ''] = text.trim().split(/[\r\n]/, 1)
  const begins = withEllipsis(shown, SHOWN_CHARACTERS + 1)
  return invalid([{ path: '', message: `The body is not valid JSON. It arrived as ${begins}` }])
}

/** Returns a body as text, in the encoding that the request names or else UTF-8. */
function textOf({ headers }: FastifyRequest, body: Buffer): string | AppError {
  const { 'content-encoding': compression = 'identity', 'content-type': type = '' } = headers
  if (compression !== 'identity')
    return new AppError('unsupported_media', 'Send the body without compression: no Content-Encoding is read')
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset, { fatal: true })
  } catch {
    return new AppError('unsupported_media', 'Send the body as UTF-8: the charset that it names is unknown')
  }
  try {
    return decoder.decode(body)
  } catch {
    return invalid([{ path: '', message: 'The body is not valid UTF-8' }])
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Returns whether the JSON is nested too deeply or has too many values, in one pass before it is parsed. */
export function isTooComplex(json: string): boolean {
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    else if (code === COMMA) values += 1
    if (depth > DEPTH_MAX || values > VALUES_MAX) return true
  }
  return false
}

/** Returns the end of the string that begins with the quote at `start`; the end of the text if it is not terminated. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at += 1
  }
  return json.length
}

/** The maximum size of a refused body that is read to its end, so that the client reads the error response. */
const DISCARDED_MAX = 50_000_000
const DISCARDING_MS = 60_000

/** Leaves bodies of every type as streams to the handlers of this scope. */
export function acceptByteStreams(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return scope
}

/** Reads the rest of a refused body, and closes the connection if it is long or slow. */
export async function discardBytes({ raw }: FastifyRequest): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return
  let discarded = 0
  raw.unpipe()
  raw.removeAllListeners('readable') // of a parser that has failed
  const late = setTimeout(() => raw.destroy(), DISCARDING_MS).unref()
  raw.once('close', () => clearTimeout(late))
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > DISCARDED_MAX) raw.destroy()
  })
  raw.resume()
}
