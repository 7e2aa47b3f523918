import type { Page, Route } from '@playwright/test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const PROJECT = 'milepost-test'

type Account = { localId: string; email: string; password: string; displayName?: string }

/** A stand-in for Google: the parts of its API that a browser calls to sign in at Firebase, with a key of its own. */
export async function standInForGoogle() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const keys = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'RS256', use: 'sig' }],
  })
  const accounts: Account[] = []

  async function idToken({ localId, email, displayName }: Account) {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ email, email_verified: false, name: displayName, auth_time: now })
      .setProtectedHeader({ alg: 'RS256', kid: 'test' })
      .setIssuer(`https://securetoken.google.com/${PROJECT}`)
      .setAudience(PROJECT)
      .setSubject(localId)
      .setIssuedAt(now)
      .setExpirationTime('1h')
      .sign(privateKey)
  }

  async function session(account: Account | undefined) {
    if (!account) return refusal('INVALID_LOGIN_CREDENTIALS')
    const { localId, email } = account
    return { localId, email, idToken: await idToken(account), refreshToken: localId, expiresIn: '3600' }
  }

  const calls: Record<string, (sent: Record<string, string>) => unknown> = {
    'accounts:signUp': ({ email = '', password = '' }) => {
      const account = { localId: crypto.randomUUID(), email, password }
      accounts.push(account)
      return session(account)
    },
    'accounts:signInWithPassword': ({ email, password }) =>
      session(accounts.find((account) => account.email === email && account.password === password)),
    'accounts:signInWithIdp': () => {
      const account = { localId: crypto.randomUUID(), email: 'ada@gmail.test', displayName: 'Ada of Google' }
      accounts.push({ ...account, password: '' })
      return session(accounts.at(-1))
    },
    projects: () => ({ authorizedDomains: ['localhost'] }),
    'accounts:lookup': () => ({ users: accounts.slice(-1) }),
    'accounts:update': ({ displayName = '' }) => Object.assign(accounts.at(-1) ?? {}, { displayName }),
    token: async () => {
      const granted = await session(accounts.at(-1))
      return { ...granted, access_token: granted.idToken, refresh_token: 'again', expires_in: '3600' }
    },
  }

  return {
    keys,
    /** Answers this page's calls to Google; `faults` are refused with the given code. */
    async serve(page: Page, faults: Record<string, string> = {}) {
      await page.route(/^https:\/\/apis\.google\.com/, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: FRAMES }),
      )
      await page.route(/^https:\/\/[^/]*googleapis/, async (route) => {
        const call = /\/v1\/([\w:]+)/.exec(route.request().url())?.[1] ?? ''
        const fault = faults[call]
        const answer = fault ? refusal(fault) : await calls[call]?.(sentBy(route))
        await reply(route, answer ?? refusal('NOT_FOUND'))
      })
    },
  }
}

/**
 * Google's script for talking with the frame at the auth domain, as far as a sign-in needs it: the frame is there at
 * once, and what it would tell of the window is told by the test through `tellOfWindow`.
 */
const FRAMES = `
const frame = {
  restyle: async () => {},
  ping: async (done) => done(),
  // Firebase's program throws after every answer to this, which Google's script does not let through either.
  send: (type, message, done) => void Promise.try(done, [{ webStorageSupport: true }]).catch(() => {}),
  register: (name, hear) => {
    window.tellOfWindow = (eventId) => {
      const authEvent = { type: 'signInViaPopup', eventId, urlResponse: 'https://localhost/?x', sessionId: 's' }
      hear({ type: 'authEvent', authEvent })
    }
  },
}
window.gapi = {
  load: (name, { callback }) => callback(),
  iframes: { getContext: () => ({ open: (options, opened) => opened(frame) }) },
}
window[new URL(document.currentScript.src).searchParams.get('onload')]()
`

/** What Google answers where it refuses. */
function refusal(message: string) {
  return { error: { code: 400, message, errors: [{ message }] }, idToken: '' }
}

function sentBy(route: Route): Record<string, string> {
  const body = route.request().postData() ?? ''
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
}

function reply(route: Route, answer: object) {
  return route.fulfill({
    status: 'error' in answer ? 400 : 200,
    headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
    json: answer,
  })
}
