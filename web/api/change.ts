import type { CallInput, CallResponse } from '#contract/call.ts'
import type { ChangingCallName, ClientCalls } from '#contract/calls.ts'
import { ApiError, sessionEnded } from './api-error.ts'
import { exchange, metadataOf, type RequestOptions, sessionsEnded } from './client.ts'

/** The failed calls that may have succeeded, by name and input, until they are repeated. */
const lost = new Set<string>()

/** The statuses with which the server refuses a call that has already succeeded; by default 404 for DELETE. */
const refusalsOnceDone: { readonly [name in ChangingCallName]?: readonly number[] } = {
  declineInvitation: [404],
  restoreDeletion: [404],
  // After leaving a project or transferring it, the caller no longer has the right to do so.
  leaveProject: [403, 404],
  transferProject: [403, 404],
  // 409: two-step sign-in is already off.
  turnOffPersonTwoFactor: [404, 409],
}

const idOf = (name: ChangingCallName, input: object) => JSON.stringify([name, input])

/** Whether such a call failed in this page but may have succeeded. */
export function isLost<N extends ChangingCallName>(name: N, input: CallInput<ClientCalls[N]>): boolean {
  return lost.has(idOf(name, input))
}

/**
 * Makes an idempotent call that changes something: if the response is lost or the server is unavailable, it is retried for a
 * while. If a retry of a deletion finds that the resource does not exist, an earlier attempt deleted it. In that case, and if all
 * responses were lost but `isDone` confirms the change, it resolves to undefined. Throws ApiError.
 */
export async function change<N extends ChangingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  { isDone, ...options }: Pick<RequestOptions, 'onHeaders'> & { isDone?: () => Promise<boolean> } = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const id = idOf(name, input)
  try {
    const response = await withRetries(async () => {
      try {
        return await exchange(name, input, options)
      } catch (error) {
        if (isUncertain(error)) lost.add(id)
        throw error
      }
    })
    lost.delete(id)
    return response
  } catch (error) {
    if (isUncertain(error)) {
      // If `isDone` fails too, the outcome remains unknown.
      if (!(await isDone?.().catch(() => false))) throw error
      lost.delete(id)
      return undefined as CallResponse<ClientCalls[N]>
    }
    const wasLost = lost.delete(id)
    if (wasLost && (await saysDone(name, error))) return undefined as CallResponse<ClientCalls[N]>
    throw error
  }
}

async function saysDone(name: ChangingCallName, error: unknown): Promise<boolean> {
  const { method } = await metadataOf(name)
  const gone = method === 'DELETE' ? [404] : []
  return error instanceof ApiError && (refusalsOnceDone[name] ?? gone).includes(error.status)
}

/** Resolves to whether a read fails because the resource does not exist. */
export const isMissing = (reading: Promise<unknown>): Promise<boolean> =>
  reading.then(
    () => false,
    (error: unknown) => (error instanceof ApiError && error.status === 404) || Promise.reject(error),
  )

/** The delays before retries while the server responds but is unavailable: a failover of the database takes 14 s. */
const BUSY_MS = [1_000, 2_000, 4_000, 8_000]
/** The delays without any response; shorter, so that a missing connection is reported soon. */
const UNREACHABLE_MS = [500, 1_500]
/** How long a retry waits until the browser is online again, if the connection was lost during the call. */
const RECONNECT_MS = 5_000
const BUSY = new Set([502, 503, 504])

/** Whether a failed call may have succeeded: there was no response, or it did not come from the server that ran the call. */
export function isUncertain(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || BUSY.has(error.status))
}

/**
 * Repeats a call until a response settles it or the retries are used up. Throws ApiError; `not_signed_in` if the session of the
 * caller ended in the meantime.
 */
export async function withRetries<T>(send: () => Promise<T>): Promise<T> {
  const began = sessionsEnded
  for (let failures = 0; ; failures += 1) {
    const wasOnline = navigator.onLine
    try {
      return await send()
    } catch (error) {
      const pause = pausesAfter(error, wasOnline)[failures]
      if (pause !== undefined) {
        if (!navigator.onLine) await connection()
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
      if (isUncertain(error) && began !== sessionsEnded) throw sessionEnded()
      if (pause === undefined) throw error
    }
  }
}

/** Returns the delay after a failure; none if the failure settles the call or was expected. */
function pausesAfter(error: unknown, wasOnline: boolean): readonly number[] {
  if (!(error instanceof ApiError) || !isUncertain(error)) return []
  if (error.status !== 0) return BUSY_MS
  return wasOnline ? UNREACHABLE_MS : []
}

/** Resolves when the browser has a connection again, or after a while. */
function connection(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, RECONNECT_MS)
    function finish() {
      clearTimeout(timer)
      removeEventListener('online', finish)
      resolve()
    }
    addEventListener('online', finish)
  })
}
