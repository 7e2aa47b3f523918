import type { ChangingCallName } from '#contract/calls.ts'
import { ApiError, isUncertain, sessionEnded } from '#web/api/api-error.ts'
import { type RequestOptions, sessionsEnded } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { pauseAfter, verdictOf } from './patience.ts'

/** The changes that send a password or a code. The outbox, which remembers changes, has none of them. */
export const secretCalls: ReadonlySet<ChangingCallName> = new Set<ChangingCallName>([
  'addPasskey',
  'changeEmail',
  'changePassword',
  'confirmEmailChange',
  'refuseEmailChange',
  'turnOnTwoFactor',
  'updateShareLink',
])

/**
 * Repeats a call until a response settles it or its person has waited some seconds. Throws ApiError; `not_signed_in` if the session of
 * the caller ended in the meantime.
 */
export async function withRetries<T>(send: () => Promise<T>): Promise<T> {
  const began = sessionsEnded
  for (let failures = 0; ; failures += 1) {
    const wasOnline = navigator.onLine
    try {
      return await send()
    } catch (error) {
      const verdict = verdictOf(error)
      if (verdict === 'refused' || verdict === 'signed out') throw error
      const pause = pauseAfter(error, { patience: 'brief', failures, isAwaited: true, wasOnline })
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause))
      if (began !== sessionsEnded) throw sessionEnded()
      if (pause === undefined) throw error
    }
  }
}

/** The ids of the last attempts whose outcome is not known, by kind and parent, with their session: the next may be somebody else's. */
const lost = new Map<string, { id: string; session: number }>()

type Making<Made> = {
  /** Identifies the kind of the thing and its parent. */
  kind: string
  make: (id: string, options: RequestOptions) => Promise<Made>
  remove: (id: string) => Promise<unknown>
}

/**
 * Creates something with a secret, which only the first response contains. If that was lost, what it created is deleted, and another
 * one is created. Throws ApiError; `not_signed_in` if the session of the caller ended in the meantime.
 */
export async function createWithSecret<Made extends object>(making: Making<Made>): Promise<Made> {
  const { kind, make, remove } = making
  const session = sessionsEnded
  const before = lost.get(kind)
  if (before?.session === session) await remove(before.id).catch(unlessMissing)
  lost.delete(kind)
  if (session !== sessionsEnded) throw sessionEnded()
  const id = newId()
  try {
    const idempotencyKey = newId()
    const made = await withRetries(() => make(id, { idempotencyKey }))
    if (!('secretShown' in made)) return made
  } catch (error) {
    if (isUncertain(error)) lost.set(kind, { id, session })
    throw error
  }
  lost.set(kind, { id, session })
  return createWithSecret(making)
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}
