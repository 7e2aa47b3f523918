import type { ChangingCallName } from '#contract/calls.ts'
import { ApiError } from '#web/api/api-error.ts'
import { callMetadata } from '#web/api/call-metadata.ts'
import { exchange, type RequestOptions, session } from '#web/api/client.ts'
import { wasInterrupted } from './interrupted.ts'
import { Outbox } from './outbox.ts'
import { pendingChanges } from './pending.ts'
import type { ChangeRecord } from './record.ts'
import { createChangeStore } from './store.ts'

/** The outbox of this page. */
export const outbox = new Outbox({
  store: createChangeStore(),
  send: sendChange,
  pending: pendingChanges,
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
  isOnline: () => navigator.onLine,
  isAwaited: ({ isOfForm, person, thing }) => isOfForm && wasInterrupted(person, thing),
  /** Without the Web Locks API (plain http on a host other than localhost) two tabs send the same change, which the server makes once. */
  async lock(name, run) {
    const locks = (navigator as Partial<Navigator>).locks
    if (!locks) return run()
    return locks.request(`milepost-change/${name}`, { ifAvailable: true }, (lock) => (lock ? run() : 'taken'))
  },
})

session.ended = () => outbox.close()

/** A request without a response by then is sent again, under the same id. */
const TIMEOUT_MS = 30_000

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

/**
 * Sends a change once. Resolves to the response; that of a DELETE is its id, which is also that of the deletion. If an earlier attempt
 * has deleted the thing already, it resolves to undefined. Throws ApiError; `stale` also if something else was created under the same id.
 */
export async function sendChange(record: ChangeRecord, isRepeated: boolean): Promise<unknown> {
  const { id, call, params, body, base } = record
  const { method, multipart } = callMetadata[call]
  let isApplied = true
  const options: RequestOptions = {
    idempotencyKey: id,
    ...(base > 0 && { ifMatch: base }),
    ...(!multipart && { timeoutMs: TIMEOUT_MS }),
    onHeaders: (headers) => {
      isApplied = headers.get('change-applied') !== 'false'
    },
  }
  const sendTo = (place: Readonly<Record<string, string>>) =>
    exchange(call as 'updateEntry', { params: place, body } as never, options) as Promise<unknown>
  try {
    const answer = await sendTo(params).catch((error: unknown) => {
      const moved = placeAfterMoving(record, error)
      if (!moved) throw error
      return sendTo(moved).catch(() => Promise.reject(error))
    })
    if (!isApplied) throw new ApiError(412, 'stale', 'This was saved elsewhere', { current: answer })
    return method === 'DELETE' ? id : answer
  } catch (error) {
    const done = refusalsOnceDone[call] ?? (method === 'DELETE' ? [404] : [])
    if (
      isRepeated &&
      error instanceof ApiError &&
      error.code !== 'proof_required' &&
      done.includes(error.status)
    )
      return undefined
    throw error
  }
}

/** Returns where an earlier attempt may have moved the entry that a change did not find. */
function placeAfterMoving({ call, params, body }: ChangeRecord, error: unknown) {
  const milestone = body?.milestone
  const mayBeMoved = call === 'updateEntry' && typeof milestone === 'string'
  if (!mayBeMoved || !(error instanceof ApiError && error.status === 404)) return undefined
  return { ...params, milestoneId: milestone }
}
