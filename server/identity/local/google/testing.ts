import { randomUUID } from 'node:crypto'
import { OAuth2Server } from 'oauth2-mock-server'
import { expect } from 'vitest'
import type { GoogleMessage } from '#contract/google.ts'
import type { Visitor } from '#server/identity/local/testing.ts'

export type TestIssuer = Awaited<ReturnType<typeof testIssuer>>

/** An issuer whose next ID token says what a test wants. */
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
    settings: { issuer, clientId: 'milepost', clientSecret: 'a secret of the tests' },
    /** Whom it vouches for from now on, and what else it says. */
    says(next: object) {
      claims = next
    },
    server,
    close: () => server.stop(),
  }
}

/** Somebody as the issuer may describe them. */
export const person = (overrides: object = {}) => ({
  sub: randomUUID(),
  email: `grace-${randomUUID()}@example.test`,
  email_verified: true,
  name: 'Grace Hopper',
  picture: 'https://pictures.example/grace.png',
  ...overrides,
})

export const WINDOW = 'a-window-of-the-tests-1'

/** Begins a sign-in: what the window is answered, and where it is sent. */
export async function begin(browser: Visitor) {
  const response = await browser.send('GET', `/api/auth/google/start?window=${WINDOW}`)
  return { response, address: String(response.headers.location) }
}

/** Goes where the issuer sends the window back to, which may be changed on the way. */
export async function comeBack(browser: Visitor, address: string, change = (back: URL) => back) {
  const answer = await fetch(address, { redirect: 'manual' })
  const back = change(new URL(answer.headers.get('location') ?? ''))
  return browser.send('GET', back.pathname + back.search)
}

/** A whole sign-in. */
export async function signInWithGoogle(browser: Visitor, change?: (back: URL) => URL) {
  const { response, address } = await begin(browser)
  expect(response.statusCode).toBe(302)
  return comeBack(browser, address, change)
}

/** What a window tells the page that opened it. */
export function messageOf({ body }: { body: string }): GoogleMessage {
  const json = /<script type="application\/json" id="message">(.*?)<\/script>/.exec(body)?.[1]
  return JSON.parse(json ?? 'null')
}
