import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const PROJECT = 'milepost-test'

export type Issuer = Awaited<ReturnType<typeof testIssuer>>

/** A fake Firebase: a key like Google's, tokens signed with it, and a server that publishes the public key. */
export async function testIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  const published = { status: 200, body: JSON.stringify({ keys: [jwk] }), asked: 0 }
  const server = createServer((_request, response) => {
    published.asked += 1
    response.writeHead(published.status, { 'content-type': 'application/json' }).end(published.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    keysUrl: new URL(`http://127.0.0.1:${port}/keys`),
    published,
    publicKey,
    /** Returns a valid token of the project, with changes to its claims (undefined omits one), header and key. */
    token: (claims: object = {}, { key = privateKey, kid = 'first' } = {}) =>
      new SignJWT({ ...goodClaims(), ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(key),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

export const secondsNow = () => Math.floor(Date.now() / 1000)

export function goodClaims() {
  const now = secondsNow()
  return {
    iss: `https://securetoken.google.com/${PROJECT}`,
    aud: PROJECT,
    sub: 'Xk2vQ0r9',
    iat: now - 10,
    auth_time: now - 20,
    exp: now + 3600,
    email: 'ada@example.test',
    email_verified: true,
    name: 'Ada Lovelace',
    picture: 'https://lh3.googleusercontent.com/a/ada',
  }
}
