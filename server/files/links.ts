import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FileVariant } from './storage-keys.ts'

/** The minimum validity of a link. The maximum is one and a half times as long. */
const LIFETIME_SECONDS = 3_600
/** Links created within this time are equal, so that browsers need not fetch a picture again with each list. */
const STEP_SECONDS = LIFETIME_SECONDS / 2

/** The reader of a signed link, its expiry, and its signature. */
export type SignedParams = { reader: string; until: number; proof: string }

/** The signing key, and the previous one, which is still accepted. */
type Keys = { current: { linkKey: Uint8Array }; previous: { linkKey: Uint8Array } | null }

export type Links = {
  /** Returns the URL of a file variant that everybody can read while its project is public. */
  open: (this: void, fileId: string, variant: FileVariant) => string
  /** Returns the URL with which this person can read a variant for a limited time. */
  personal(fileId: string, variant: FileVariant, userId: string): string
  /** Returns the signature of a text, for links to resources other than files. */
  sign: (text: string) => string
  isSigned: (text: string, signature: string) => boolean
  /** Returns for how many seconds a signed link is still valid; 0 if it is invalid or expired. */
  secondsLeft(fileId: string, signed: SignedParams): number
}

/** Returns the URL of a public file. */
export const openMediaURL = (fileId: string, variant: FileVariant) => `/api/media/${fileId}/${variant}`

/** Returns the field with the picture URL of a person, for everybody who sees their name. */
export const pictureField = (id: string | null) => (id === null ? {} : { pictureURL: pictureURL(id) })

const pictureURL = (id: string) => `/api/media/people/${id}`

/** Returns the picture that a person uploaded or, without one, that of their identity provider. */
export function photoOf(id: string | null, ofProvider: string | null): { photoURL?: string } {
  const photoURL = id === null ? ofProvider : pictureURL(id)
  return photoURL === null ? {} : { photoURL }
}

/**
 * Creates and verifies the URLs of files. An `<img>` cannot send a token, so the URL of a private file contains its reader. Each
 * request checks whether that person may view the file.
 */
export function createLinks({ current, previous }: Keys, clock: () => Date): Links {
  const now = () => Math.floor(clock().getTime() / 1000)
  const accepted = [current, previous].flatMap((secret) => (secret ? [secret.linkKey] : []))
  return {
    open: openMediaURL,

    personal(fileId, variant, reader) {
      const until = (Math.floor(now() / STEP_SECONDS) + 1) * STEP_SECONDS + LIFETIME_SECONDS
      const proof = proofOf(current.linkKey, fileId, reader, until).toString('base64url')
      return `${openMediaURL(fileId, variant)}?${new URLSearchParams({ reader, until: String(until), proof })}`
    },

    sign: (text) => signatureOf(current.linkKey, text).toString('base64url'),

    isSigned(text, signature) {
      const given = Buffer.from(signature, 'base64url')
      return accepted.some((key) => isSame(given, signatureOf(key, text)))
    },

    secondsLeft(fileId, { reader, until, proof }) {
      const given = Buffer.from(proof, 'base64url')
      const isValid = accepted.some((key) => isSame(given, proofOf(key, fileId, reader, until)))
      return isValid ? Math.max(0, until - now()) : 0
    },
  }
}

const proofOf = (key: Uint8Array, fileId: string, reader: string, until: number) =>
  signatureOf(key, JSON.stringify([fileId, reader, until]))

const signatureOf = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest()

const isSame = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
