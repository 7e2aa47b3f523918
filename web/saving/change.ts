import type { ChangingCallName, ClientCalls } from '#contract/calls.ts'
import type { CallInput, CallResponse } from '#contract/parts/call.ts'
import { exchange } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { outbox } from './page-outbox.ts'
import { secretCalls, withRetries } from './secret.ts'

/**
 * The changes that are worth making later, too: they outlive the page, and are repeated until the server has answered. Others are
 * given up after a minute.
 */
const kept = new Set<ChangingCallName>([
  'updateProject',
  'deleteProject',
  'updateMilestone',
  'moveMilestone',
  'deleteMilestone',
  'deleteEntry',
  'updateCollaborator',
  'removeCollaborator',
  'restoreDeletion',
  'discardDraft',
])

/** Returns what a change is about that is of use only now. */
export const awaitedThing = (name: ChangingCallName, params: Record<string, string>): string =>
  JSON.stringify([name, params])

type ChangeOptions = {
  /** The version on which it is based; the server refuses any other with `stale`. */
  ifMatch?: number
  /** Gives up after some seconds, because somebody waits for it. */
  isBrief?: boolean
}

/**
 * Makes a call that changes something. If the response is lost or the server is unavailable, it is repeated under the same id, and so is
 * the next call if it is the same. If a repeated deletion finds that the resource does not exist, an earlier attempt deleted it; then it
 * resolves to undefined. What has a secret is repeated for some seconds only, and not remembered. Throws ApiError.
 */
export async function change<N extends ChangingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  { isBrief = false, ifMatch = 0 }: ChangeOptions = {},
): Promise<CallResponse<ClientCalls[N]>> {
  if (secretCalls.has(name)) {
    const options = { idempotencyKey: newId(), ...(ifMatch > 0 && { ifMatch }) }
    return withRetries(() => exchange(name, input, options))
  }
  const { params = {}, body } = input as { params?: Record<string, string>; body?: Record<string, unknown> }
  const isStored = kept.has(name) && !isBrief
  const made = typeof body?._id === 'string' ? body._id : undefined
  const thing = made ?? (isStored ? Object.values(params).at(-1) : undefined)
  const answer = await outbox.add(
    {
      id: newId(),
      call: name,
      params,
      body,
      thing: thing ?? awaitedThing(name, params),
      base: ifMatch,
      isOfForm: false,
    },
    { patience: isBrief ? 'brief' : isStored ? 'endless' : 'minute', isStored },
  )
  return answer as CallResponse<ClientCalls[N]>
}
