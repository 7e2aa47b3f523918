import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { CallAnswer } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import type { exchangeFields, IdentityOptions, User } from '#contract/identity.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Authenticate, Caller } from '#server/platform/calls.ts'

/** Users, sessions and application tokens, on top of one identity provider. */
export type Identity = {
  /** How people sign in to this server. */
  options: IdentityOptions
  /** Resolves an application token to its caller; throws `not_signed_in`. */
  authenticate: Authenticate
  /** Verifies the provider's ID token and opens a session; throws `not_signed_in` or `invalid`. */
  exchange(fields: z.output<typeof exchangeFields>): Promise<CallAnswer<Calls['exchangeToken']>>
  /** Returns the caller's own user. */
  me(caller: Caller): Promise<User>
  /** Ends the session of the caller, and the provider's session that it was opened from. */
  signOut(caller: Caller): Promise<void>
  /** Returns those of the given sessions that are still open. */
  openAmong(sessionIds: string[]): Promise<Set<string>>
  /** Mounts the provider's own routes, where this server is the provider. */
  mountProvider(app: FastifyInstance): Promise<void>
}

/** What a provider authenticates people with. One provider is active at a time. */
export type Provider = {
  /** What browsers need to know of the provider. */
  options: IdentityOptions
  /** Verifies signature, issuer, audience and lifetime of an ID token; throws `not_signed_in`. */
  verifyIdToken(idToken: string): Promise<Claims>
  /** Ends one of its sessions and, by the database's cascade, the application sessions opened from it. */
  endSession(session: string): Promise<void>
  /** Mounts the provider's own routes, where this server is the provider. */
  mount(app: FastifyInstance): Promise<void>
}

/** The claims of a verified ID token. */
export type Claims = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  name: string | null
  picture: string | null
  /** The provider's own session, where this server stores it: application sessions end with it. */
  session: string | null
}

/** A user with the email that they have just got, or that has just been verified as theirs. */
export type EmailOwner = { userId: string; email: string; emailVerified: boolean }

/**
 * Called in the transaction in which a user gets an email or verifies it. Returns a function that the caller runs after
 * the commit.
 */
export type EmailChangeHook = (trx: Transaction<Schema>, person: EmailOwner) => Promise<() => void>

/**
 * Called in the transaction in which the proven owner of an email takes over the account that another person made with
 * it. Returns a function that the caller runs after the commit.
 */
export type TakeoverHook = (trx: Transaction<Schema>, userId: string) => Promise<() => void>
