import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { CallResponse } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import type { exchangeFields, IdentityOptions, User } from '#contract/identity.ts'
import type { CreationOptions, NewCredential, Passkey } from '#contract/passkeys.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Authenticate, Caller } from '#server/platform/calls.ts'

/** Users, sessions and application tokens, on top of one identity provider. */
export type Identity = {
  /** How people sign in to this server. */
  options: ProviderOptions
  /** Resolves an application token to its caller; throws `not_signed_in`. */
  authenticate: Authenticate
  /** Verifies the provider's ID token and opens a session; throws `not_signed_in` or `invalid`. */
  exchange(fields: z.output<typeof exchangeFields>): Promise<CallResponse<Calls['exchangeToken']>>
  /** Returns the caller's own user. */
  me(caller: Caller): Promise<User>
  /** Passwords; undefined where a hosted provider keeps them. */
  passwords: Passwords | undefined
  /** Changes of emails; undefined where a hosted provider keeps them. */
  emailChanges: EmailChanges | undefined
  /** Passkeys; undefined where this server has none. */
  passkeys: Passkeys | undefined
  /** Two-step sign-in; undefined where a hosted provider has its own. */
  twoFactor: TwoFactor | undefined
  /** Ends the session of the caller, and the provider's session that it was opened from. */
  signOut(caller: Caller): Promise<void>
  /** Returns those of the given sessions that are still open. */
  openAmong(sessionIds: string[]): Promise<Set<string>>
  /** Mounts the provider's own routes, where this server is the provider. */
  mountProvider(app: FastifyInstance): Promise<void>
}

/** What browsers need to know of a provider. */
export type ProviderOptions = Omit<
  IdentityOptions,
  'termsUrl' | 'announcement' | 'registration' | 'emailDomains'
>

/** What a provider authenticates people with. One provider is active at a time. */
export type Provider = {
  options: ProviderOptions
  /** Verifies signature, issuer, audience and lifetime of an ID token; throws `not_signed_in`. */
  verifyIdToken(idToken: string): Promise<Claims>
  /** Ends one of its sessions and, by the database's cascade, the application sessions opened from it. */
  endSession(session: string): Promise<void>
  /** Passwords, where this server is the provider. */
  passwords?: Passwords
  /** Changes of emails, where this server is the provider. */
  emailChanges?: EmailChanges
  /** Passkeys, where this server is the provider and browsers know them under its URL. */
  passkeys?: Passkeys | undefined
  /** Two-step sign-in, where this server is the provider. */
  twoFactor?: TwoFactor
  /** Returns the email of an account as it is now, where this server is the provider: an ID token may name an older one. */
  readEmail?(db: Db, subject: string): Promise<{ email: string; emailVerified: boolean } | undefined>
  /**
   * Records the device of one of its sessions, in the transaction of an exchange, and tells a person of a new one. Returns what to
   * run after the commit. `isFirst`: the account is made by this sign-in.
   */
  recognizeDevice?(
    trx: Transaction<Schema>,
    signIn: { session: string; isFirst: boolean },
  ): Promise<(() => void) | undefined>
  /** Mounts the provider's own routes, where this server is the provider. */
  mount(app: FastifyInstance): Promise<void>
}

/** The passwords of accounts, which are named by the subject of their ID tokens. */
export type Passwords = {
  isSet(subject: string): Promise<boolean>
  /** Makes the token of a link by which a password is chosen within an hour. Throws `conflict` where there is no password. */
  makeResetLink(trx: Transaction<Schema>, subject: string): Promise<{ token: string; expiresAt: Date }>
  /** Verifies a password, with the limit of `change`. Throws `invalid`, `too_many_requests` or `unavailable`. */
  verify(subject: string, currentPassword: string): Promise<void>
  /**
   * Replaces a password in return for the current one, and ends every session of the account but the given one of the
   * provider. Throws `invalid`, `common_password`, `conflict`, `too_many_requests` or `unavailable`.
   */
  change(
    subject: string,
    fields: { currentPassword: string; newPassword: string },
    remaining: string | null,
  ): Promise<void>
}

/** An account by the subject of its ID tokens, and the session of the provider in which it is used. */
export type AccountSession = { subject: string; session: string | null }

/** The second factor of accounts: an authenticator app, and recovery codes. The caller has verified the password. */
export type TwoFactor = {
  /** Returns since when it is on, and how many recovery codes are left; undefined where it is off. */
  read(subject: string): Promise<{ since: Date; recoveryCodes: number } | undefined>
  /** Returns a new secret, which `turnOn` makes the second factor within half an hour. Throws `conflict` where it is on. */
  begin(subject: string): Promise<{ secret: string; url: string }>
  /** Turns it on by a code of the secret, ends every other session, and returns recovery codes. Throws `invalid`, `conflict` or `expired`. */
  turnOn(account: AccountSession, code: string): Promise<string[]>
  /** Turns it off by a code, and ends every other session. Throws `invalid`, `conflict` or `too_many_requests`. */
  turnOff(account: AccountSession, code: string): Promise<void>
  /** Returns new recovery codes, by a code, in place of those that are left. Throws as `turnOff` does. */
  renewRecoveryCodes(account: AccountSession, code: string): Promise<string[]>
  /**
   * Turns it off for somebody who has lost it, and ends all their sessions. Returns what to run after the commit; undefined
   * where it was off.
   */
  remove(trx: Transaction<Schema>, subject: string): Promise<(() => void) | undefined>
}

/** Changes of the email of accounts, which wait until both addresses have confirmed them. */
export type EmailChanges = {
  /**
   * Sends a link to the new email and, if it is proven, to the present one, instead of a change that waits. It does the
   * same whether the new email has an account or not. Undefined where this server sends no mail. Throws `invalid`,
   * `too_many_requests` or `not_signed_in`.
   */
  begin: ((account: AccountSession, email: string) => Promise<void>) | undefined
  /**
   * Redeems a link in a session of its account; with the last one the email changes, and every other session ends.
   * Returns the addresses that have not confirmed it yet. Throws `expired`, `wrong_account`, `conflict` or `not_signed_in`.
   */
  confirm(account: AccountSession, token: string): Promise<{ waitsFor: ('current' | 'new')[] }>
  /** Ends the change that a link is of. Throws `expired`. */
  refuse(token: string): Promise<void>
  /** Ends the change that an account waits for, if there is one. */
  cancel(subject: string): Promise<void>
  /** Returns the change that an account waits for. */
  findPending(subject: string): Promise<{ email: string; waitsFor: ('current' | 'new')[] } | null>
  /**
   * Changes an email that nobody has proven, for an administrator, and ends every session but the given one. Returns what
   * to run after the commit. Throws `conflict` where another account has the email.
   */
  assign(
    trx: Transaction<Schema>,
    change: { subject: string; email: string; remaining: string | null },
  ): Promise<() => void>
}

/** A person whose account gets a passkey, as their device shows them. */
export type PasskeyHolder = AccountSession & { email: string; name: string }

/** The passkeys of accounts, which are named by the subject of their ID tokens. */
export type Passkeys = {
  list(subject: string): Promise<Passkey[]>
  /** Returns what a new passkey is made from. Throws `conflict` where the account has too many. */
  begin(holder: PasskeyHolder): Promise<{ passkeyId: string; options: CreationOptions }>
  /**
   * Adds the passkey that was made. Sent again after a lost response, it returns the same passkey. Throws `expired`,
   * `invalid`, `conflict` or `not_signed_in`.
   */
  add(
    account: AccountSession,
    passkeyId: string,
    fields: { name: string; credential: NewCredential },
  ): Promise<Passkey>
  /** Throws `not_found`. */
  rename(subject: string, passkeyId: string, name: string): Promise<Passkey>
  /** Throws `not_found`. */
  remove(subject: string, passkeyId: string): Promise<void>
  /** Throws `not_signed_in` unless the session was opened a short while ago. */
  requireFresh(session: string | null): Promise<void>
}

/** Somebody who wants an account, with the token of the link by which they were invited. */
export type Newcomer = { email: string; emailVerified: boolean; invitation: string | undefined }

/** The one rule of who may make an account, by whichever provider. */
export type Admission = {
  /** Throws `registration_closed` unless the person may make an account. Changes nothing: for what precedes the account. */
  check(db: Db, newcomer: Newcomer): Promise<void>
  /** Decides in the transaction in which an account is made, and uses the invitation up. Throws `registration_closed`. */
  admit(
    trx: Transaction<Schema>,
    newcomer: Newcomer & { userId: string },
  ): Promise<{ isAdmin: boolean; isAwaiting: boolean }>
  /** Whether an invitation lets somebody in whose account waits for approval; uses it up. */
  isInvited(trx: Transaction<Schema>, newcomer: Newcomer): Promise<boolean>
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
 * Called in the transaction in which somebody keeps the account that they were deleting. Returns a function that the caller
 * runs after the commit.
 */
export type KeepHook = (
  trx: Transaction<Schema>,
  kept: { userId: string; since: Date },
) => Promise<() => void>

/**
 * Called in the transaction in which the proven owner of an email takes over the account that another person made with
 * it. Returns a function that the caller runs after the commit.
 */
export type TakeoverHook = (trx: Transaction<Schema>, userId: string) => Promise<() => void>
