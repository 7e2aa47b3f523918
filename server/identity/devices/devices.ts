import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { type NoticeDeps, openNotices } from '#server/identity/account-notices.ts'
import { defineCookie } from '#server/platform/api/cookies.ts'
import { deviceOf } from './device-name.ts'
import { findUserAgent, recordDevice } from './store.ts'

/** Browsers limit the lifetime of cookies to 400 days. */
export const DEVICE_DAYS = 400

const TOKEN = /^[\w-]{43}$/

type SignIn = { cookies: string | undefined; userAgent: string; userId: string; publicUrl: string }

/**
 * Returns the hash that identifies the browser of a sign-in for its account, and the cookie to send. The hash covers that random
 * cookie and the browser and system of the user agent. A cookie copied to another kind of browser is another device.
 */
export function identifyDevice({ cookies, userAgent, userId, publicUrl }: SignIn): {
  hash: string
  cookie: string
} {
  const maxAgeSeconds = DEVICE_DAYS * 24 * 60 * 60
  const cookie = defineCookie({ name: 'milepost.device', publicUrl, path: '/api/auth', maxAgeSeconds })
  const known = cookie.read(cookies) ?? ''
  const token = TOKEN.test(known) ? known : randomBytes(32).toString('base64url')
  const hash = createHash('sha256')
    .update([token, userId, deviceOf(userAgent)].join('\0'))
    .digest('base64url')
  return { hash, cookie: cookie.set(token) }
}

type NewSignIn = { device: string; at: string }

/** Recognizes the devices of accounts, and emails users about sign-ins on new ones. */
export type Devices = {
  /**
   * Records the device of a session in the transaction of the session's first use. Notifies the account of a new device,
   * unless its owner has just registered. Returns a function to run after the commit.
   */
  recognize(
    trx: Transaction<Schema>,
    signIn: { session: string; isFirst: boolean },
  ): Promise<(() => void) | undefined>
}

/** `deps` is undefined if this server sends no mail. */
export async function createDevices(clock: () => Date, deps: NoticeDeps | undefined): Promise<Devices> {
  const notices = deps && (await openSignInEmails(deps))
  return {
    async recognize(trx, { session, isFirst }) {
      const now = clock()
      const userId = await recordDevice(trx, session, now)
      if (userId === undefined || isFirst || !notices) return undefined
      // The session may end before the email is sent. The email still names the device.
      const device = deviceOf((await findUserAgent(trx, session)) ?? '')
      const isQueued = await notices.add(trx, userId, { device, at: now.toISOString() })
      return isQueued ? () => notices.wake() : undefined
    },
  }
}

const openSignInEmails = (deps: NoticeDeps) =>
  openNotices<NewSignIn>(deps, {
    queue: 'new-sign-in-emails',
    name: 'an email about a new sign-in',
    perDay: { name: 'new sign-ins', calls: 10 },
    write: ({ device, at }, { email, host, publicUrl, moment }) => ({
      subject: 'New sign-in to Milepost',
      title: 'New sign-in to Milepost',
      opening: [
        `Somebody signed in to the account ${email} on Milepost (${host}) with a browser that it has not been used in before: ${device}, on ${moment(at)}.`,
        'If it was not you, sign that session out, and choose a new password.',
      ],
      action: { label: 'See your sessions', url: `${publicUrl}/settings` },
      closing: ['If it was you, there is nothing to do.'],
    }),
  })
