import type { FastifyInstance } from 'fastify'
import type { IdentityOptions } from '#contract/identity.ts'

/** Who an ID token speaks of, once it is verified. */
export type Claims = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  name: string | null
  picture: string | null
  /** The provider's own session, where this server keeps it: application sessions end with it. */
  session: string | null
}

/** Whoever vouches for people. One is active at a time. */
export type Provider = {
  /** What browsers are told of it. */
  options: IdentityOptions
  /** Verifies signature, issuer, audience and time of an ID token; throws `not_signed_in`. */
  verifyIdToken(idToken: string): Promise<Claims>
  /** Ends one of its sessions and with it, by the database's cascade, the application sessions opened from it. */
  endSession(session: string): Promise<void>
  /** Mounts the provider's own routes, where this server is the provider. */
  mount(app: FastifyInstance): Promise<void>
}
