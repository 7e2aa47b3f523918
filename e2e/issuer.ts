import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { interactionPolicy, Provider } from 'oidc-provider'

const HOUR = 60 * 60

/**
 * Stands in for Google: an OpenID Connect issuer on another origin than the server, where anybody signs in under
 * any name, and has the address name@example.com. It is down until it is opened for a server.
 */
export async function startIssuer() {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  let provider: Promise<Provider> | undefined
  const http = createServer((request, response) => answer(request, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the issuer found no port')
  const issuer = `http://127.0.0.1:${address.port}`
  const client = { clientId: 'milepost', clientSecret: randomBytes(24).toString('base64url') }
  return {
    /** What the server is told of it. */
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
    },
    async open(serverUrl: string) {
      provider ??= providerAt(issuer, client, serverUrl)
      const handle = (await provider).callback()
      answer = (request, response) => void handle(request, response)
    },
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

async function providerAt(
  issuer: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  serverUrl: string,
): Promise<Provider> {
  const policy = interactionPolicy.base()
  // As Google, it knows the prompt; its page asks anyway.
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  policy.get('select_account')?.checks.clear()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${serverUrl}/api/auth/google/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // As Google, it puts them into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    interactions: { policy },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    ttl: { Interaction: HOUR, Session: HOUR, Grant: HOUR, AccessToken: HOUR, IdToken: HOUR },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@example.com`,
        email_verified: true,
        name: 'Grace Hopper',
      }),
    }),
  })
}
