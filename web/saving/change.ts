import type { CallInput, CallResponse } from '#contract/call.ts'
import type { ChangingCallName, ClientCalls } from '#contract/calls.ts'
import { ApiError } from '#web/api/api-error.ts'
import { exchange, metadataOf, type RequestOptions, sessionsEnded } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { isUncertain, withRetries } from '#web/api/retries.ts'
import { Waiting } from './waiting.ts'

/** A failed change that may have been made: what was sent, and under which id. */
type Lost = { call: string; id: string }

/** The last one of each thing that was lost in this page: any other change of the thing replaces it. */
const lost = new Map<string, Lost>()
const LOST_MAX = 40

/** The statuses with which the server refuses a call that has already succeeded; by default 404 for DELETE. */
const refusalsOnceDone: { readonly [name in ChangingCallName]?: readonly number[] } = {
  // The server remembers these deletions, so the thing is not here for another reason: it was moved, for example.
  deleteProject: [],
  deleteMilestone: [],
  deleteEntry: [],
  // After transferring a project, the caller no longer has the right to do so.
  transferProject: [403, 404],
  // 409: two-step sign-in is already off.
  turnOffPersonTwoFactor: [404, 409],
}

/** The thing that a call changes; in the next session, it may be somebody else's change. */
const thingOf = (name: ChangingCallName, { params = {} }: { params?: object }) =>
  JSON.stringify([sessionsEnded, Object.values(params).at(-1) ?? name])

type ChangeOptions = Pick<RequestOptions, 'onHeaders' | 'ifMatch'> & {
  /** Gives up after some seconds, because somebody waits for it. */
  isBrief?: boolean
}

/**
 * Makes a call that changes something: if the response is lost or the server is unavailable, it is retried for a minute under the same
 * id, and so is the next call if it is the same. If a retry of a deletion finds that the resource does not exist, an earlier attempt
 * deleted it; then it resolves to undefined. Throws ApiError.
 */
export async function change<N extends ChangingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  { isBrief = false, ...options }: ChangeOptions = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const thing = thingOf(name, input)
  const call = JSON.stringify([name, input, options.ifMatch])
  const before = lost.get(thing)
  const id = before?.call === call ? before.id : newId()
  lost.delete(thing)
  let wasLost = before?.id === id
  const note = () => {
    wasLost = true
    remember(thing, { call, id })
  }
  if (wasLost) note()
  const waiting = new Waiting()
  try {
    const send = () => exchange(name, input, { ...options, idempotencyKey: id })
    const patience = isBrief ? {} : { onWaiting: () => waiting.begin() }
    const response = await withRetries(() => send().catch(noting(note)), patience)
    lost.delete(thing)
    return response
  } catch (error) {
    if (isUncertain(error)) throw error
    lost.delete(thing)
    if (wasLost && (await saysDone(name, error))) return undefined as CallResponse<ClientCalls[N]>
    throw error
  } finally {
    waiting.end()
  }
}

/** Returns a handler that calls `note` after each failure that may have succeeded. */
const noting =
  (note: () => void) =>
  (error: unknown): never => {
    if (isUncertain(error)) note()
    throw error
  }

function remember(thing: string, what: Lost) {
  lost.set(thing, what)
  const [oldest] = lost.keys()
  if (lost.size > LOST_MAX && oldest !== undefined) lost.delete(oldest)
}

async function saysDone(name: ChangingCallName, error: unknown): Promise<boolean> {
  const { method } = await metadataOf(name)
  const gone = method === 'DELETE' ? [404] : []
  return error instanceof ApiError && (refusalsOnceDone[name] ?? gone).includes(error.status)
}
