import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { signInTexts } from '#contract/sign-in.ts'
import type { Schema } from '#server/database/rows.ts'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/network.ts'

/** Wrong passwords that one address may give for one account, and all unknown addresses together. */
const PER_ADDRESS = 5
const PER_ACCOUNT = 60
const WINDOW_SECONDS = 15 * 60
/** For so long an address from which somebody signed in is spared the account-wide limit. */
const KNOWN_DAYS = 30

/** An attempt that was counted before its password was looked at; it is settled once. */
export type Attempt = {
  /** The password was right: nothing counts any more, and the address is known. */
  succeeded(): Promise<void>
  /** No password was compared: as if it had not happened. */
  withdrawn(): Promise<void>
}

/**
 * Counts an attempt before its password is compared, so that parallel guesses cannot outrun the count. An account
 * is locked for one address after a few failures; from all addresses that it does not know, after many. Somebody
 * who guesses from many places therefore cannot keep the owner out of where they usually sign in.
 */
export async function countAttempt(
  db: Kysely<Schema>,
  { email, address, now }: { email: string; address: string; now: Date },
): Promise<Attempt> {
  const account = key('account', email.toLowerCase())
  const pair = key('pair', email.toLowerCase(), networkOf(address))

  const here = await raise(db, pair, now)
  if (here.failures > PER_ADDRESS) throw locked(here, now)
  const isKnown = here.knownUntil !== null && here.knownUntil > now
  if (!isKnown) {
    const everywhere = await raise(db, account, now)
    if (everywhere.failures > PER_ACCOUNT) {
      await lower(db, pair)
      throw locked(everywhere, now)
    }
  }

  return {
    async succeeded() {
      await forgive(db, pair, now)
      if (!isKnown) await lower(db, account)
    },
    async withdrawn() {
      await lower(db, pair)
      if (!isKnown) await lower(db, account)
    },
  }
}

type Count = { failures: number; since: Date; knownUntil: Date | null }

/** A new row, one more in its window, or the first of a new window. Old rows of others go on the way. */
async function raise(db: Kysely<Schema>, key: string, now: Date): Promise<Count> {
  const windowStart = new Date(now.getTime() - WINDOW_SECONDS * 1000)
  const { rows } = await sql<Count>`
    with forgotten as (
      delete from identity.attempts where key in (
        select key from identity.attempts where forget_at < ${now} and key <> ${key}
        limit 100 for update skip locked)
    )
    insert into identity.attempts as a (key, failures, since, forget_at)
    values (${key}, 1, ${now}, ${later(now, WINDOW_SECONDS)})
    on conflict (key) do update set
      failures = case when a.since <= ${windowStart} then 1 else a.failures + 1 end,
      since = case when a.since <= ${windowStart} then excluded.since else a.since end,
      forget_at = greatest(a.forget_at, excluded.forget_at)
    returning failures, since, known_until as "knownUntil"`.execute(db)
  const [count] = rows
  if (!count) throw new Error('an attempt was not counted')
  return count
}

async function lower(db: Kysely<Schema>, key: string): Promise<void> {
  await sql`update identity.attempts set failures = greatest(failures - 1, 0) where key = ${key}`.execute(db)
}

async function forgive(db: Kysely<Schema>, key: string, now: Date): Promise<void> {
  const knownUntil = later(now, KNOWN_DAYS * 24 * 60 * 60)
  await sql`
    update identity.attempts set failures = 0, known_until = ${knownUntil}, forget_at = ${knownUntil}
    where key = ${key}`.execute(db)
}

function locked({ since }: Count, now: Date): AppError {
  return new AppError('too_many_requests', signInTexts.tooManyAttempts, {
    retryAfter: Math.max(1, (later(since, WINDOW_SECONDS).getTime() - now.getTime()) / 1000),
  })
}

const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000)

/** Hashed: the table is no list of who tried to sign in from where. */
const key = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('base64url')
