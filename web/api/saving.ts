import type { CallInput, CallResponse } from '#contract/call.ts'
import type { ClientCalls, CreatingCallName } from '#contract/calls.ts'
import { ApiError, currentOf } from './api-error.ts'
import { exchange } from './client.ts'

/** The pauses before a call is sent again while the server is there and cannot serve: a database that fails over takes 14 s. */
const BUSY_MS = [1_000, 2_000, 4_000, 8_000]
/** The same without any response: a missing connection is reported soon. */
const UNREACHABLE_MS = [500, 1_500]
const BUSY = new Set([502, 503, 504])

/** How many calls that nobody knows the outcome of are remembered. */
const REMEMBERED = 20

/** A call that failed so that it may have been done. Sent again under its key, it is the same call. */
type Uncertain = { key: string; input: object }

const uncertain = new Map<string, Uncertain>()

type Repeating = {
  /** What makes two calls the same, where that is not all of their input; the input of the first is sent again. */
  identity?: unknown
  /** Called once the input of an earlier try was sent instead of this one. */
  onRepeat?: () => void
}

/**
 * Makes a call that creates something, once: where its answer is lost or the server is not available, it is sent again for
 * a while, under the same key. Where all of that fails, the same call has the same key when somebody makes it again. Throws
 * ApiError.
 */
export async function create<N extends CreatingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  { identity = input, onRepeat }: Repeating = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const request = JSON.stringify([name, identity], withFiles)
  const earlier = uncertain.get(request)
  const call = earlier ?? { key: randomKey(), input }
  const sent = call.input as CallInput<ClientCalls[N]>
  uncertain.delete(request)
  try {
    const created = await persist(() => exchange(name, sent, { idempotencyKey: call.key }))
    if (earlier) onRepeat?.()
    return created
  } catch (error) {
    if (pausesAfter(error)) remember(request, call)
    throw error
  }
}

type UpdatingCallName = 'updateProject' | 'updateMilestone' | 'updateEntry'

/**
 * Makes a call that changes `version` of something, and sends it again as `create` does. Where an earlier try was saved and
 * its answer lost, the server refuses the next one as stale and shows what it has: if that is what was sent, it is saved.
 * Throws ApiError.
 */
export async function update<N extends UpdatingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]> & { body: object },
  version: number,
): Promise<CallResponse<ClientCalls[N]>> {
  try {
    return await persist(() => exchange(name, input, { ifMatch: version }))
  } catch (error) {
    const current = currentOf(error)
    if (!hasAll(current, input.body)) throw error
    return current as CallResponse<ClientCalls[N]>
  }
}

/** Whether a resource has every value that was sent. Responses leave out what there is none of, for which null is sent. */
function hasAll(current: unknown, sent: object): boolean {
  if (typeof current !== 'object' || current === null) return false
  const values = new Map<string, unknown>(Object.entries(current))
  return Object.entries(sent).every(
    ([name, value]) =>
      value === undefined || JSON.stringify(value) === JSON.stringify(values.get(name) ?? null),
  )
}

/** Sends until there is an answer that settles the call, or patience ends. */
async function persist<T>(send: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await send()
    } catch (error) {
      const pause = pausesAfter(error)?.[failures]
      if (pause === undefined) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** How long to wait after each failure; undefined after one that settles the call. */
function pausesAfter(error: unknown): readonly number[] | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (BUSY.has(error.status)) return BUSY_MS
  if (error.status !== 0) return undefined
  return navigator.onLine ? UNREACHABLE_MS : []
}

function remember(request: string, call: Uncertain): void {
  uncertain.set(request, call)
  const [oldest] = uncertain.keys()
  if (uncertain.size > REMEMBERED && oldest !== undefined) uncertain.delete(oldest)
}

/** JSON has nothing to say about a file. */
const withFiles = (_name: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

/** 128 bits; crypto.randomUUID does not exist on plain http. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
