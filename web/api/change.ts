import type { CallInput, CallResponse } from '#contract/call.ts'
import type { ChangingCallName, ClientCalls } from '#contract/calls.ts'
import { ApiError } from './api-error.ts'
import { exchange, metadataOf, type RequestOptions, sessionsEnded } from './client.ts'

/** The calls that failed so that they may have been done, by name and input, until they are made again. */
const lost = new Set<string>()

/** What the server says to a call that it has done before, where that is not only that the thing is gone. */
const refusalsOnceDone: { readonly [name in ChangingCallName]?: readonly number[] } = {
  declineInvitation: [404],
  restoreDeletion: [404],
  // Who left a project, or gave it away, has no right to do so again.
  leaveProject: [403, 404],
  handOverProject: [403, 404],
  // 409: it is off.
  turnOffPersonTwoFactor: [404, 409],
}

const idOf = (name: ChangingCallName, input: object) => JSON.stringify([name, input])

/** Whether such a call failed in this page so that it may have been done. */
export function isLost<N extends ChangingCallName>(name: N, input: CallInput<ClientCalls[N]>): boolean {
  return lost.has(idOf(name, input))
}

/**
 * Makes a call that changes something and comes to the same however often it is sent: where its answer is lost or the server is
 * not available, it is sent again for a while. What was to be taken away and is found gone by a later try was taken away by an
 * earlier one; then there is no response. Nor is there one where every answer was lost, and `isDone` finds it done. Throws
 * ApiError.
 */
export async function change<N extends ChangingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  { isDone, ...options }: Pick<RequestOptions, 'onHeaders'> & { isDone?: () => Promise<boolean> } = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const id = idOf(name, input)
  try {
    const response = await persist(async () => {
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
      // Where that cannot be fetched either, nobody knows.
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

/** Resolves to whether something that was to be read is not there. */
export const isMissing = (reading: Promise<unknown>): Promise<boolean> =>
  reading.then(
    () => false,
    (error: unknown) => (error instanceof ApiError && error.status === 404) || Promise.reject(error),
  )

/** The pauses before a call is sent again while the server is there and cannot serve: a database that fails over takes 14 s. */
const BUSY_MS = [1_000, 2_000, 4_000, 8_000]
/** The same without any response: a missing connection is reported soon. */
const UNREACHABLE_MS = [500, 1_500]
/** How long a call waits for a connection that was lost while the call was on its way. */
const RECONNECT_MS = 5_000
const BUSY = new Set([502, 503, 504])

/** Whether a call failed so that it may have been done: there was no response, or none from the server that did it. */
export function isUncertain(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || BUSY.has(error.status))
}

/**
 * Sends a call that may be repeated until there is a response that settles it, or patience ends. Throws ApiError; after the end
 * of the session of who made it, `not_signed_in`.
 */
export async function persist<T>(send: () => Promise<T>): Promise<T> {
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
      if (isUncertain(error) && began !== sessionsEnded)
        throw new ApiError(401, 'not_signed_in', 'Please sign in to continue')
      if (pause === undefined) throw error
    }
  }
}

/** How long to wait after each failure; none after one that settles the call, or that was to be expected. */
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
