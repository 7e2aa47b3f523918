import type { Kysely, Transaction } from 'kysely'
import type { ProofMethod } from '#contract/proofs.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AccountSession, Proofs, TwoFactor } from '#server/identity/identity.ts'
import type { PasswordProofs } from '#server/identity/local/password-proof.ts'
import type { PasskeyProofs } from '#server/identity/passkeys/proof.ts'
import type { Redeem } from '#server/identity/two-factor/redeem.ts'
import { conflict, invalid, notSignedIn } from '#server/platform/api/errors.ts'
import { isLinkedTo, updateProofTime } from './store.ts'

type Deps = {
  db: Kysely<Schema>
  clock: () => Date
  /** Undefined if people sign in only through the issuer, which then also decides about second factors. */
  passwords: PasswordProofs | undefined
  twoFactor: Pick<TwoFactor, 'read'> & { redeem: Redeem }
  /** Undefined if this server has no passkeys. */
  passkeys: PasskeyProofs | undefined
  /** The URL of the issuer with which people can also sign in. */
  issuer: string | undefined
}

/** Creates the proofs of the local provider's accounts. */
export function createProofs(deps: Deps): Proofs {
  const { db, clock, passwords, twoFactor, passkeys, issuer } = deps
  const hasSecondStep = async (subject: string) =>
    passwords !== undefined && (await twoFactor.read(subject)) !== undefined

  async function record(trx: Transaction<Schema>, { subject: userId, session }: AccountSession) {
    if (!(await updateProofTime(trx, { session, userId, now: clock() }))) throw notSignedIn()
  }

  return {
    async list(subject) {
      const isSecured = await hasSecondStep(subject)
      const methods: ProofMethod[] = []
      if (await passwords?.has(subject)) methods.push(isSecured ? 'password_and_code' : 'password')
      if (await passkeys?.has(subject)) methods.push('passkey')
      // With two-step sign-in, the issuer is only the first step.
      if (issuer !== undefined && !isSecured && (await isLinkedTo(db, subject, issuer)))
        methods.push('issuer')
      return methods
    },

    async byPassword(account, { currentPassword, code }, ip) {
      if (!passwords) throw conflict('This server has no passwords')
      const { subject: userId } = account
      const isSecured = await hasSecondStep(userId)
      if (isSecured && code === undefined) throw invalid([{ path: 'code', message: 'Enter a code' }])
      await passwords.verify(userId, currentPassword, ip)
      if (isSecured) await twoFactor.redeem({ userId, code: code ?? '', ip }, (trx) => record(trx, account))
      else await db.transaction().execute((trx) => record(trx, account))
    },

    async beginPasskey({ subject, session }) {
      if (!passkeys) throw noPasskeys()
      return passkeys.begin({ subject, session })
    },

    async byPasskey(account, credential) {
      if (!passkeys) throw noPasskeys()
      await passkeys.verify(account, credential)
      await db.transaction().execute((trx) => record(trx, account))
    },

    byIssuer: (account) => db.transaction().execute((trx) => record(trx, account)),
  }
}

const noPasskeys = () => conflict('This server has no passkeys')
