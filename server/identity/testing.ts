import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { derive, type Secrets } from '#server/platform/secrets.ts'
import { assembleIdentity } from './create.ts'
import type { Claims, EmailChangeHook, Identity, Provider } from './identity.ts'

/** A provider for tests: its ID tokens are unsigned claims in JSON. */
const unsignedProvider: Provider = {
  options: { provider: 'local', google: false, issuerOnly: false, passkeys: false, sendsMail: false },
  verifyIdToken: async (idToken) => JSON.parse(idToken) as Claims,
  endSession: async () => undefined,
  mount: async () => undefined,
}

/** The token secrets of applications under test. */
export const testSecrets: Secrets = {
  current: derive('a secret that only the tests of Milepost know'),
  previous: null,
}

/** Real tokens and sessions on a provider without passwords. */
export function testIdentity(
  db: Kysely<Schema>,
  clock: () => Date = () => new Date(),
  onEmailChange?: EmailChangeHook,
): Identity {
  return assembleIdentity({ db, secrets: testSecrets, clock, onEmailChange }, unsignedProvider)
}

export type SignedIn = {
  userId: string
  email: string
  token: string
  /** The headers of a request by this user. */
  headers: { authorization: string }
  /** The caller of a service function. */
  caller: Caller
}

/** Creates a user and signs them in. Requires deps whose identity is `testIdentity`. */
export async function signedIn(
  { identity }: Pick<AppDeps, 'identity'>,
  person: Partial<Pick<Claims, 'name' | 'email' | 'emailVerified' | 'picture'>> = {},
): Promise<SignedIn> {
  const subject = randomUUID()
  const claims: Claims = {
    issuer: 'urn:test',
    subject,
    email: `${subject}@example.test`,
    emailVerified: false,
    name: 'Ada Lovelace',
    picture: null,
    session: null,
    provenAt: null,
    ...person,
  }
  const { token, user } = await identity.exchange({ idToken: JSON.stringify(claims) })
  const headers = { authorization: `Bearer ${token}` }
  return { userId: user._id, email: user.email, token, headers, caller: await identity.authenticate(token) }
}
