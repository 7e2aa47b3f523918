import type { FirebaseOptions } from '#contract/identity.ts'
import { request } from '#web/api/client.ts'
import { storeToken } from '#web/api/token.ts'
import type { ProofMethods } from './methods.ts'

/** Returns how the person can prove who they are at Firebase. Each resolves once this server knows it. */
export async function hostedMethods(options: FirebaseOptions): Promise<ProofMethods> {
  const { firebaseProvider } = await import('#web/identity/firebase/firebase-provider.ts')
  const { again, identity } = firebaseProvider(options)

  /** The new application token has the time of the sign-in at Firebase. */
  async function renew() {
    const proven = await identity()
    if (!proven) return
    const { token } = await request('exchangeToken', { body: proven })
    storeToken(token)
  }

  const { password, google } = await again.methods()
  return {
    ...(password && {
      password: {
        needsCode: false,
        prove: ({ currentPassword }) => again.withPassword(currentPassword).then(renew),
      },
    }),
    ...(google && { issuer: () => again.withGoogle().then(renew) }),
  }
}
