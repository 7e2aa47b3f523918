import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { Calls } from '#contract/calls.ts'
import type { exchangeFields, IdentityOptions, User } from '#contract/identity.ts'
import type { CallResponse } from '#contract/parts/call.ts'
import type { Assertion, CreationOptions, NewCredential, Passkey } from '#contract/passkeys.ts'
import type { PasswordProof, ProofMethod, ProofRequestOptions } from '#contract/proofs.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Authenticate, Caller } from '#server/platform/api/calls.ts'
import type { RequireProof } from './proofs/rule.ts'

/** Users, sessions and application tokens, on top of one identity provider. */
export type Identity = {
  /** How people sign in to this server. */
  options: ProviderOptions
  /** Returns the caller of an application token; throws `not_signed_in`. */
  authenticate: Authenticate
  /** Verifies the provider's ID token and opens a session; throws `not_signed_in` or `invalid`. */
  exchange(fields: z.output<typeof exchangeFields>): Promise<CallResponse<Calls['exchangeToken']>>
  /** Returns the caller's own user. */
  me(caller: Caller): Promise<User>
  /** Passwords; undefined if a hosted provider manages them. */
  passwords: Passwords | undefined
  /** Email changes; undefined if a hosted provider manages them. */
  emailChanges: EmailChanges | undefined
  /** Passkeys; undefined if this server has none. */
  passkeys: Passkeys | undefined
  /** Two-step sign-in; undefined if a hosted provider has its own. */
  twoFactor: TwoFactor | undefined
  /** Throws `proof_required` unless the caller has proved within the last ten minutes who they are. */
  requireProof: RequireProof
  /** How they prove it again; undefined if a hosted provider does that. */
  proofs: Proofs | undefined
  /** Ends the caller's session and the provider's session from which it was opened. */
  signOut(caller: Caller): Promise<void>
  /** Returns the given sessions that are still open. */
  openAmong(sessionIds: string[]): Promise<Set<string>>
  /** Mounts the provider's own routes, if this server is the provider. */
  mountProvider(app: FastifyInstance): Promise<void>
}

/** The properties of a provider that browsers need. */
export type ProviderOptions = Omit<
  IdentityOptions,
  'termsUrl' | 'announcement' | 'registration' | 'emailDomains'
>

/** Authenticates users. One provider is active at a time. */
export type Provider = {
  options: ProviderOptions
  /** Verifies the signature, issuer, audience and lifetime of an ID token; throws `not_signed_in`. */
  verifyIdToken(idToken: string): Promise<Claims>
  /** Ends one of the provider's sessions. The database cascades to the application sessions opened from it. */
  endSession(session: string): Promise<void>
  /** Passwords, if this server is the provider. */
  passwords?: Passwords
  /** Email changes, if this server is the provider. */
  emailChanges?: EmailChanges
  /** Passkeys, if this server is the provider and its URL allows them. */
  passkeys?: Passkeys | undefined
  /** Two-step sign-in, if this server is the provider. */
  twoFactor?: TwoFactor
  /** How people prove again who they are, if this server is the provider. */
  proofs?: Proofs
  /** Returns the current email of an account, if this server is the provider. An ID token may contain an older one. */
  readEmail?(db: Db, subject: string): Promise<{ email: string; emailVerified: boolean } | undefined>
  /**
   * Records the device of a provider session in the transaction of an exchange, and notifies the user of a new one. Returns a
   * function to run after the commit. `isFirst`: this sign-in creates the account.
   */
  recognizeDevice?(
    trx: Transaction<Schema>,
    signIn: { session: string; isFirst: boolean },
  ): Promise<(() => void) | undefined>
  /** Mounts the provider's own routes, if this server is the provider. */
  mount(app: FastifyInstance): Promise<void>
}

/** The passwords of accounts. An account is identified by the subject of its ID tokens. */
export type Passwords = {
  isSet(subject: string): Promise<boolean>
  /** Creates the token of a password reset link, valid for an hour. Throws `conflict` if the account has no password. */
  makeResetLink(trx: Transaction<Schema>, subject: string): Promise<{ token: string; expiresAt: Date }>
  /** Verifies a password, under the rate limit of `change`. Throws `invalid`, `too_many_requests` or `unavailable`. */
  verify(subject: string, currentPassword: string): Promise<void>
  /**
   * Replaces a password after verifying the current one, and ends every session of the account except the given session of
   * the provider. Throws `invalid`, `common_password`, `conflict`, `too_many_requests` or `unavailable`.
   */
  change(
    subject: string,
    fields: { currentPassword: string; newPassword: string },
    remaining: string | null,
  ): Promise<void>
}

/** An account, identified by the subject of its ID tokens, and the provider's session that the caller uses. */
export type AccountSession = { subject: string; session: string | null }

/** The second factor of accounts: an authenticator app, and recovery codes. The caller has proved who they are. */
export type TwoFactor = {
  /** Returns when it was turned on and the number of unused recovery codes; undefined if it is off. */
  read(subject: string): Promise<{ since: Date; recoveryCodes: number } | undefined>
  /** Returns a new secret, which `turnOn` can activate within half an hour. Throws `conflict` if two-step sign-in is on. */
  begin(subject: string): Promise<{ secret: string; url: string }>
  /** Turns it on with a code of the secret, ends all other sessions, and returns recovery codes. Throws `invalid`, `conflict` or `expired`. */
  turnOn(account: AccountSession, code: string): Promise<string[]>
  /** Turns it off, and ends all other sessions. Throws `conflict` if it is off. */
  turnOff(account: AccountSession): Promise<void>
  /** Replaces the recovery codes and returns the new ones. Throws like `turnOff`. */
  renewRecoveryCodes(account: AccountSession): Promise<string[]>
  /**
   * Turns it off for a user who lost it, and ends all their sessions. Returns a function to run after the commit; undefined
   * if it was off.
   */
  remove(trx: Transaction<Schema>, subject: string): Promise<(() => void) | undefined>
}

/** How the person of a session of the local provider proves again who they are. It takes what signing in takes. */
export type Proofs = {
  /** Returns the methods that the account has; none if nothing that it signs in with works any more. */
  list(subject: string): Promise<ProofMethod[]>
  /** Throws `invalid`, `conflict`, `too_many_requests`, `unavailable` or `not_signed_in`. */
  byPassword(account: AccountSession, proof: PasswordProof, ip: string): Promise<void>
  /** Returns what one of the account's passkeys signs. Throws `conflict` if it has none here. */
  beginPasskey(account: AccountSession): Promise<ProofRequestOptions>
  /** Throws `expired`, `conflict` or `not_signed_in`. */
  byPasskey(account: AccountSession, credential: Assertion): Promise<void>
  /** Records that the issuer has authenticated the person. Throws `not_signed_in`. */
  byIssuer(account: AccountSession): Promise<void>
}

/** Changes of account emails. A change is pending until the current and the new email have confirmed it. */
export type EmailChanges = {
  /**
   * Replaces a pending change, and sends a link to the new email and, if it is verified, to the current one. Behaves the same
   * whether or not the new email belongs to an account. Undefined if this server sends no mail. Throws `invalid`,
   * `too_many_requests` or `not_signed_in`.
   */
  begin: ((account: AccountSession, email: string) => Promise<void>) | undefined
  /**
   * Redeems a link in a session of its account. The last link changes the email and ends all other sessions. Returns the
   * emails that have not confirmed yet. Throws `expired`, `wrong_account`, `conflict` or `not_signed_in`.
   */
  confirm(account: AccountSession, token: string): Promise<{ unconfirmed: ('current' | 'new')[] }>
  /** Cancels the change that a link belongs to. Throws `expired`. */
  refuse(token: string): Promise<void>
  /** Cancels the pending change of an account, if there is one. */
  cancel(subject: string): Promise<void>
  /** Returns the pending change of an account. */
  findPending(subject: string): Promise<{ email: string; unconfirmed: ('current' | 'new')[] } | null>
  /**
   * Changes an unverified email on behalf of an administrator, and ends every session except the given one. Returns a
   * function to run after the commit. Throws `conflict` if another account has the email.
   */
  assign(
    trx: Transaction<Schema>,
    change: { subject: string; email: string; remaining: string | null },
  ): Promise<() => void>
}

/** The owner of a new passkey, with the email and name that their device displays. */
export type PasskeyHolder = AccountSession & { email: string; name: string }

/** The passkeys of accounts. An account is identified by the subject of its ID tokens. */
export type Passkeys = {
  list(subject: string): Promise<Passkey[]>
  /** Returns the creation options of a new passkey. Throws `conflict` if the account has too many. */
  begin(holder: PasskeyHolder): Promise<{ passkeyId: string; options: CreationOptions }>
  /**
   * Adds a new passkey. If the request is repeated after a lost response, it returns the same passkey. Throws `expired`,
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
}

/** A person who registers, with the token of the invitation link that they followed. */
export type Registrant = { email: string; emailVerified: boolean; invitation: string | undefined }

/** Decides who may register, with every provider. */
export type RegistrationPolicy = {
  /** Throws `registration_closed` unless the person may register. Changes nothing, so it can run before the account is created. */
  check(db: Db, registrant: Registrant): Promise<void>
  /** Decides in the transaction that creates the account, and uses up the invitation. Throws `registration_closed`. */
  admit(
    trx: Transaction<Schema>,
    registrant: Registrant & { userId: string },
  ): Promise<{ isAdmin: boolean; isAwaiting: boolean }>
  /** Returns whether an invitation admits an account that awaits approval; uses up the invitation. */
  isInvited(trx: Transaction<Schema>, registrant: Registrant): Promise<boolean>
}

/** The claims of a verified ID token. */
export type Claims = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  name: string | null
  picture: string | null
  /** The provider's session, if this server stores it. Application sessions end with it. */
  session: string | null
  /** When the person last proved who they are; null if the provider's session has it. */
  provenAt: Date | null
}

/** A user whose email is new or was just verified. */
export type EmailOwner = { userId: string; email: string; emailVerified: boolean }

/** Called in the transaction in which a user gets an email or verifies it. Returns a function to run after the commit. */
export type EmailChangeHook = (trx: Transaction<Schema>, person: EmailOwner) => Promise<() => void>

/** Called in the transaction in which a user cancels the deletion of their account. Returns a function to run after the commit. */
export type DeletionCancelledHook = (
  trx: Transaction<Schema>,
  kept: { userId: string; since: Date },
) => Promise<() => void>

/**
 * Called in the transaction in which the verified owner of an email takes over the account that another person created
 * with it. Returns a function to run after the commit.
 */
export type TakeoverHook = (trx: Transaction<Schema>, userId: string) => Promise<() => void>
