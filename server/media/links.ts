import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Variant } from './variants.ts'

/** A link is good for at least this long, and for half as long again at most. */
const LIFETIME_SECONDS = 3_600
/** Links made within this time are the same, so that a browser need not fetch an image anew with each list. */
const STEP_SECONDS = LIFETIME_SECONDS / 2

/** For whom a link was made, until when, and the proof that we made it. */
export type Pass = { reader: string; until: number; proof: string }

/** The one key that signs, and those that are believed. */
type Keys = { current: { linkKey: Uint8Array }; previous: { linkKey: Uint8Array } | null }

export type Links = {
  /** Where anybody reads a variant of an image while its project is public. */
  open(imageId: string, variant: Variant): string
  /** Where this person reads it, for a while. */
  personal(imageId: string, variant: Variant, userId: string): string
  /** The seconds for which a pass to this image is still good; 0 for one that is not or that is none of ours. */
  secondsLeft(imageId: string, pass: Pass): number
}

/**
 * Makes and checks the addresses of images. An `<img>` cannot send a token, so for what is private the address itself
 * says who reads; it gives no right that the person does not have when it is used.
 */
export function createLinks({ current, previous }: Keys, clock: () => Date): Links {
  const now = () => Math.floor(clock().getTime() / 1000)
  const believed = [current, previous].flatMap((secret) => (secret ? [secret.linkKey] : []))
  const open = (imageId: string, variant: Variant) => `/api/media/${imageId}/${variant}`

  return {
    open,

    personal(imageId, variant, reader) {
      const until = (Math.floor(now() / STEP_SECONDS) + 1) * STEP_SECONDS + LIFETIME_SECONDS
      const proof = proofOf(current.linkKey, imageId, reader, until).toString('base64url')
      return `${open(imageId, variant)}?${new URLSearchParams({ reader, until: String(until), proof })}`
    },

    secondsLeft(imageId, { reader, until, proof }) {
      const given = Buffer.from(proof, 'base64url')
      const proven = believed.some((key) => isSame(given, proofOf(key, imageId, reader, until)))
      return proven ? Math.max(0, until - now()) : 0
    },
  }
}

function proofOf(key: Uint8Array, imageId: string, reader: string, until: number): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([imageId, reader, until]))
    .digest()
}

const isSame = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
