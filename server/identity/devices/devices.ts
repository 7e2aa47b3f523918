import { createHash, randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { findDates } from '#server/database/people.ts'
import type { Schema } from '#server/database/rows.ts'
import { defineCookie } from '#server/platform/api/cookies.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { momentFor } from '#server/platform/mail/dates.ts'
import { composeEmail, mailboxOf } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import { deviceOf } from './device-name.ts'
import { findEmail, findUserAgent, recordDevice } from './store.ts'

/** Browsers limit the lifetime of cookies to 400 days. */
export const DEVICE_DAYS = 400

const TOKEN = /^[\w-]{43}$/

/** Limit of one mailbox, across all accounts: anybody can register with anybody's email. */
const MAILBOX_LIMIT = { name: 'new sign-ins', calls: 10, seconds: 24 * 60 * 60 }

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

type Deps = {
  db: Kysely<Schema>
  publicUrl: string
  log: Logger
  clock: () => Date
  emails: { mail: Mail; jobs: Jobs } | undefined
}

type NewSignIn = { id: string; userId: string; device: string; at: string }

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

export async function createDevices(deps: Deps): Promise<Devices> {
  const { clock, emails } = deps
  const queue = await emails?.jobs.queue<NewSignIn>('new-sign-in-emails', (signIn) =>
    send({ ...deps, mail: emails.mail }, signIn),
  )
  return {
    async recognize(trx, { session, isFirst }) {
      const now = clock()
      const userId = await recordDevice(trx, session, now)
      if (userId === undefined || isFirst || !queue) return undefined
      const email = await findEmail(trx, userId)
      if (email === undefined || !(await isUnderLimit({ trx, now }, MAILBOX_LIMIT, mailboxOf(email))))
        return undefined
      // The session may end before the email is sent. The email still names the device.
      const device = deviceOf((await findUserAgent(trx, session)) ?? '')
      await queue.add(trx, { id: uuidv7(), userId, device, at: now.toISOString() })
      return () => queue.wake()
    },
  }
}

async function send(
  { db, mail, publicUrl, log }: Deps & { mail: Mail },
  { id, userId, device, at }: NewSignIn,
) {
  const email = await findEmail(db, userId)
  if (email === undefined) return // the account was deleted
  const dates = await findDates(db, userId)
  const notice = signInEmail(publicUrl, { id, email, device, at: new Date(at), dates })
  await deliver({ mail, log }, 'an email about a new sign-in', notice)
}

function signInEmail(
  publicUrl: string,
  {
    id,
    email,
    device,
    at,
    dates,
  }: { id: string; email: string; device: string; at: Date; dates: DatePreferences },
): Email {
  return {
    id,
    to: email,
    subject: 'New sign-in to Milepost',
    ...composeEmail({
      title: 'New sign-in to Milepost',
      opening: [
        `Somebody signed in to the account ${email} on Milepost (${new URL(publicUrl).host}) with a browser that it has not been used in before: ${device}, on ${momentFor(at, dates)}.`,
        'If it was not you, sign that session out, and choose a new password.',
      ],
      action: { label: 'See your sessions', url: `${publicUrl}/settings` },
      closing: ['If it was you, there is nothing to do.'],
    }),
  }
}
