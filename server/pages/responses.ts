import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingIn, isKnown } from '#server/platform/api/request-headers.ts'
import { notModifiedHeaders } from './headers.ts'
import type { FinishedPage } from './render.ts'

export const encodingOf = ({ headers }: FastifyRequest) => encodingIn(headers['accept-encoding'])

/** Returns whether the client already has the page. `*` matches every existing page, which only rendering can determine. */
export function hasCopy({ headers }: FastifyRequest, etag: string): boolean {
  const { 'if-none-match': ifNoneMatch } = headers
  return ifNoneMatch !== '*' && isKnown(etag, ifNoneMatch)
}

/** Sends a finished page, or 304 if the client has it. */
export function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: FinishedPage) {
  const { etag } = headers
  const modified = modifiedOf(headers)
  if (etag && (isKnown(etag, request.headers['if-none-match']) || isOfThen(request, modified)))
    return sendNotModified(request, reply, etag, modified)
  reply.code(status).headers(headers)
  if (isFeed(request)) reply.header('vary', FEED_VARY)
  if (headers['last-modified'] !== modified) reply.removeHeader('last-modified')
  if (isOpenedFeed(request, headers)) reply.type('application/xml; charset=utf-8')
  return reply.send(body)
}

/** When a feed last changed; undefined within that second, in which it may change again. */
function modifiedOf({ 'last-modified': modified }: FinishedPage['headers']): string | undefined {
  return modified !== undefined && Date.now() - Date.parse(modified) >= 1_000 ? modified : undefined
}

/** Readers that know no ETag send back the time that they were told. Any other time is ignored, as one of their own clock. */
const isOfThen = ({ headers }: FastifyRequest, modified: string | undefined) =>
  headers['if-none-match'] === undefined &&
  modified !== undefined &&
  headers['if-modified-since'] === modified

/** Who opens a feed in a browser sees it in its style as plain XML; some browsers would offer a file of another type to be saved. */
const isOpenedFeed = ({ headers }: FastifyRequest, { 'content-type': type = '' }: FinishedPage['headers']) =>
  headers['sec-fetch-dest'] === 'document' && /^application\/(?:atom|rss)\+xml/.test(type)

const FEED_VARY = 'accept-encoding, sec-fetch-dest'
const isFeed = ({ url }: FastifyRequest) => url.includes('/feed.') && /\/feed\.(?:atom|rss)(?:\?|$)/.test(url)

export function sendNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  modified?: string,
) {
  reply.code(304).headers(notModifiedHeaders).header('etag', etag)
  if (isFeed(request)) reply.header('vary', FEED_VARY)
  if (modified !== undefined) reply.header('last-modified', modified)
  return reply.send()
}
