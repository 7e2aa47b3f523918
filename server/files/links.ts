import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FileVariant } from './storage-keys.ts'

/** The sizes in which the image of an entry is stored. */
export const VARIANTS = ['full', 'small'] as const
export type Variant = (typeof VARIANTS)[number]

/** A link is valid for at least this long, and for half as long again at most. */
const LIFETIME_SECONDS = 3_600
/** Links made within this time are the same, so that a browser need not fetch an image again with each list. */
const STEP_SECONDS = LIFETIME_SECONDS / 2

/** For whom a link was made, until when it is valid, and its signature. */
export type Pass = { reader: string; until: number; proof: string }

/** The key that signs, and the former one that is still accepted. */
type Keys = { current: { linkKey: Uint8Array }; previous: { linkKey: Uint8Array } | null }

export type Links = {
  /** The URL at which everybody reads a variant of an image while its project is public. */
  open(imageId: string, variant: Variant | FileVariant): string
  /** The URL at which this person reads it, for a limited time. */
  personal(imageId: string, variant: Variant | FileVariant, userId: string): string
  /** The signature of a text, for links to resources other than files. */
  sign: (text: string) => string
  isSigned: (text: string, signature: string) => boolean
  /** The seconds for which a pass to this image is still valid; 0 if it is invalid or expired. */
  secondsLeft(imageId: string, pass: Pass): number
}

/** The URL of a public file. */
export const openMediaURL = (imageId: string, variant: Variant | FileVariant) =>
  `/api/media/${imageId}/${variant}`

/** The picture of a person, for everybody who is shown their name. */
export const pictureField = (id: string | null) => (id === null ? {} : { pictureURL: pictureURL(id) })

const pictureURL = (id: string) => `/api/media/people/${id}`

/** The picture that a person chose here or, without one, that of their identity provider. */
export function photoOf(id: string | null, ofProvider: string | null): { photoURL?: string } {
  const photoURL = id === null ? ofProvider : pictureURL(id)
  return photoURL === null ? {} : { photoURL }
}

/**
 * Makes and verifies the URLs of images. An `<img>` cannot send a token, so the URL of a private image names its reader;
 * whether that person may view the image is checked each time the URL is used.
 */
export function createLinks({ current, previous }: Keys, clock: () => Date): Links {
  const now = () => Math.floor(clock().getTime() / 1000)
  const accepted = [current, previous].flatMap((secret) => (secret ? [secret.linkKey] : []))
  return {
    open: openMediaURL,

    personal(imageId, variant, reader) {
      const until = (Math.floor(now() / STEP_SECONDS) + 1) * STEP_SECONDS + LIFETIME_SECONDS
      const proof = proofOf(current.linkKey, imageId, reader, until).toString('base64url')
      return `${openMediaURL(imageId, variant)}?${new URLSearchParams({ reader, until: String(until), proof })}`
    },

    sign: (text) => signatureOf(current.linkKey, text).toString('base64url'),

    isSigned(text, signature) {
      const given = Buffer.from(signature, 'base64url')
      return accepted.some((key) => isSame(given, signatureOf(key, text)))
    },

    secondsLeft(imageId, { reader, until, proof }) {
      const given = Buffer.from(proof, 'base64url')
      const isValid = accepted.some((key) => isSame(given, proofOf(key, imageId, reader, until)))
      return isValid ? Math.max(0, until - now()) : 0
    },
  }
}

const proofOf = (key: Uint8Array, imageId: string, reader: string, until: number) =>
  signatureOf(key, JSON.stringify([imageId, reader, until]))

const signatureOf = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest()

const isSame = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
