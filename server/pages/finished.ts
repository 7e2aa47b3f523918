import { hash } from 'node:crypto'
import { type Encoding, encode } from '#server/platform/http/compression.ts'
import { pageHeaders } from './headers.ts'
import { takeMarks } from './scripts.ts'

/** A page as it travels. */
export type FinishedPage = { status: number; headers: Record<string, string>; body: Buffer }

const RETRY_AFTER_S = '5'

/** The policy of a page, given the sources of its scripts. */
export type PolicyFor = (scripts: string[]) => string

/**
 * Finishes a rendered page. Its ETag is the given one, or else made of the page itself, and so the same on every process.
 * Only a page with status 200 may be kept by a client.
 */
export async function finish(rendered: Response, policyFor: PolicyFor, etag?: string): Promise<FinishedPage> {
  const { html, scripts } = takeMarks(await rendered.text())
  const policy = policyFor(scripts)
  const caching: Record<string, string> =
    rendered.status === 200
      ? { 'cache-control': 'no-cache', etag: etag ?? etagOf([policy, html]) }
      : { 'cache-control': 'no-store', ...(rendered.status === 503 && { 'retry-after': RETRY_AFTER_S }) }
  const headers = {
    ...Object.fromEntries(rendered.headers),
    ...pageHeaders,
    vary: 'accept-encoding',
    ...caching,
    'content-security-policy': policy,
  }
  return { status: rendered.status, headers, body: Buffer.from(html) }
}

/** The ETag of what is made of these texts and of nothing else. */
export function etagOf(texts: string[]): string {
  return `W/"${hash('sha256', texts.join('\0'), 'base64url').slice(0, 27)}"`
}

/** The page in this encoding, where that is worth it. */
export async function encodePage(page: FinishedPage, asked: Encoding): Promise<FinishedPage> {
  const { body, encoding } = await encode(page.body, asked)
  if (encoding === 'identity') return page
  return { ...page, body, headers: { ...page.headers, 'content-encoding': encoding } }
}
