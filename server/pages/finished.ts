import { type Encoding, encode } from '#server/platform/encoding.ts'
import { pageHeaders } from './headers.ts'
import { sha256, takeMarks } from './scripts.ts'

/** A page as it travels. */
export type FinishedPage = { status: number; headers: Record<string, string>; body: Buffer }

const RETRY_AFTER_S = '5'

/** The policy of a page, given the sources of its scripts. */
export type PolicyFor = (scripts: string[]) => string

/**
 * Finishes what was rendered. The validator is the given one, or else made of the page itself: the same for the same
 * page on every process. Only a page that stands as it should may be kept by anybody.
 */
export async function finish(
  rendered: Response,
  policyFor: PolicyFor,
  validator?: string,
): Promise<FinishedPage> {
  const { html, scripts } = takeMarks(await rendered.text())
  const policy = policyFor(scripts)
  const standing: Record<string, string> =
    rendered.status === 200
      ? { 'cache-control': 'no-cache', etag: validator ?? validatorOf([policy, html]) }
      : { 'cache-control': 'no-store', ...(rendered.status === 503 && { 'retry-after': RETRY_AFTER_S }) }
  const headers = {
    ...Object.fromEntries(rendered.headers),
    ...pageHeaders,
    vary: 'accept-encoding',
    ...standing,
    'content-security-policy': policy,
  }
  return { status: rendered.status, headers, body: Buffer.from(html) }
}

/** The validator of what is made of these texts and of nothing else. */
export function validatorOf(texts: string[]): string {
  return `W/"${sha256(texts, 'base64url').slice(0, 27)}"`
}

/** The page in this encoding, where that is worth it. */
export async function encodePage(page: FinishedPage, asked: Encoding): Promise<FinishedPage> {
  const { body, encoding } = await encode(page.body, asked)
  if (encoding === 'identity') return page
  return { ...page, body, headers: { ...page.headers, 'content-encoding': encoding } }
}
