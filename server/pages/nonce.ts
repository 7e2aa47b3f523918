import { createHash, randomBytes } from 'node:crypto'

/**
 * Pages are rendered with this in place of the nonce. It is secret, so that nothing a person wrote can
 * stand where a nonce will; it is put out of the page before anything else looks at it.
 */
export const NONCE_SLOT = randomBytes(24).toString('base64url')

export const freshNonce = () => randomBytes(16).toString('base64url')

/** A rendered page with its slots open: it can be told apart from another, and filled with a nonce. */
export class SlottedPage {
  readonly #pieces: string[]

  constructor(html: string) {
    this.#pieces = html.split(NONCE_SLOT)
  }

  /** The same for the same page under the same headers, on every process, whatever the nonces. */
  validator(headers: string): string {
    const hash = createHash('sha256').update(headers)
    for (const piece of this.#pieces) hash.update('\0').update(piece)
    return `W/"${hash.digest('base64url').slice(0, 27)}"`
  }

  fill(nonce: string): string {
    return this.#pieces.join(nonce)
  }
}
