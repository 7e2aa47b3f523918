import { compactVerify, createRemoteJWKSet, decodeProtectedHeader } from 'jose'

/** Throws unless an ID token is signed by its issuer. */
export type SignatureCheck = (idToken: string) => Promise<void>

const BY_KEY = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const BY_SECRET = ['HS256', 'HS384', 'HS512']
/** The algorithms of signatures that are accepted. */
export const SIGNATURES: string[] = [...BY_KEY, ...BY_SECRET]

type Options = { keysUrl: string | undefined; clientSecret: string; isPlain: boolean; timeoutMs: number }

/**
 * Creates the check of the signatures of an issuer: by its published keys or, for the HS algorithms, by the client secret, which
 * only the issuer and this server know. The two never mix, so a public key cannot serve as a secret.
 */
export function createSignatureCheck({ keysUrl, clientSecret, isPlain, timeoutMs }: Options): SignatureCheck {
  const url = keysUrl === undefined ? null : URL.parse(keysUrl)
  if (url !== null && url.protocol !== 'https:' && !isPlain)
    throw new Error('the issuer publishes its keys without TLS')
  const keys = url && createRemoteJWKSet(url, { timeoutDuration: timeoutMs })
  const secret = new TextEncoder().encode(clientSecret)

  return async (idToken) => {
    if (BY_SECRET.includes(decodeProtectedHeader(idToken).alg ?? '')) {
      await compactVerify(idToken, secret, { algorithms: BY_SECRET })
      return
    }
    if (!keys) throw new Error('the issuer publishes no keys')
    await compactVerify(idToken, keys, { algorithms: BY_KEY })
  }
}
