import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { CallAnswer } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import type { exchangeFields, IdentityOptions, User } from '#contract/identity.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Authenticate, Caller } from '#server/platform/calls.ts'

/** Who people are: the identity provider behind one door, and our own tokens. */
export type Identity = {
  /** How people sign in to this server. */
  options: IdentityOptions
  /** Resolves an application token to its caller; throws `not_signed_in`. */
  authenticate: Authenticate
  /** Verifies the provider's ID token and opens a session; throws `not_signed_in` or `invalid`. */
  exchange(fields: z.output<typeof exchangeFields>): Promise<CallAnswer<Calls['exchangeToken']>>
  /** The caller themselves. */
  me(caller: Caller): Promise<User>
  /** Ends the session that the caller acts under, and the provider's session that it came of. */
  signOut(caller: Caller): Promise<void>
  /** Which of these sign-ins still stand. */
  openAmong(sessionIds: string[]): Promise<Set<string>>
  /** Mounts the provider's own routes, where this server is the provider. */
  mountProvider(app: FastifyInstance): Promise<void>
}

/** Somebody to whom an address belongs now, or whose it is verified to be. */
export type Addressee = { userId: string; email: string; emailVerified: boolean }

/**
 * What is done, in the transaction in which an address becomes somebody's or is verified as theirs. Answers what
 * remains to be done once that stands.
 */
export type AddressHook = (trx: Transaction<Schema>, person: Addressee) => Promise<() => void>

/**
 * What is done, in the transaction in which the proven owner of an address takes over the account that somebody made
 * with it. Answers what remains to be done once that commits.
 */
export type TakeoverHook = (trx: Transaction<Schema>, userId: string) => Promise<() => void>
