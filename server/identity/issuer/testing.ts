import { randomUUID } from 'node:crypto'
import { OAuth2Server } from 'oauth2-mock-server'
import { expect } from 'vitest'
import type { IssuerMessage } from '#contract/sign-in.ts'
import type { Visitor } from '#server/identity/local/testing.ts'

export type TestIssuer = Awaited<ReturnType<typeof testIssuer>>

/** Starts an issuer that puts the claims that a test sets into its next ID token. */
export async function testIssuer() {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const issuer = server.issuer.url ?? ''
  let claims: object = {}
  server.service.on('beforeTokenSigning', (token: { payload: object }) =>
    Object.assign(token.payload, claims),
  )
  return {
    settings: { issuer, clientId: 'milepost', clientSecret: 'a secret of the tests', name: 'Google' },
    /** Sets the claims of its next ID tokens. */
    says(next: object) {
      claims = next
    },
    server,
    close: () => server.stop(),
  }
}

/** Returns the claims of a person. */
export const person = (overrides: object = {}) => ({
  sub: randomUUID(),
  email: `grace-${randomUUID()}@example.test`,
  email_verified: true,
  name: 'Grace Hopper',
  picture: 'https://pictures.example/grace.png',
  ...overrides,
})

export const WINDOW = 'a-window-of-the-tests-1'

/** Begins a sign-in; returns the response to the popup and the URL of its redirect. */
export async function begin(browser: Visitor, window = WINDOW) {
  const response = await browser.send('GET', `/api/auth/google/start?window=${window}`)
  return { response, url: String(response.headers.location) }
}

/** Follows the issuer's redirect back to this server; `change` can edit its URL. */
export async function followRedirect(browser: Visitor, url: string, change = (back: URL) => back) {
  const answer = await fetch(url, { redirect: 'manual' })
  const back = change(new URL(answer.headers.get('location') ?? ''))
  return browser.send('GET', back.pathname + back.search)
}

/** Signs in with all steps. */
export async function signInWithIssuer(browser: Visitor, change?: (back: URL) => URL) {
  const { response, url } = await begin(browser)
  expect(response.statusCode).toBe(302)
  return followRedirect(browser, url, change)
}

/** Returns the message that the result page posts. */
export function messageOf({ body }: { body: string }): IssuerMessage {
  const json = /<script type="application\/json" id="message">(.*?)<\/script>/.exec(body)?.[1]
  return JSON.parse(json ?? 'null')
}
