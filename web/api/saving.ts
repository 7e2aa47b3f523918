import type { CallInput, CallResponse } from '#contract/call.ts'
import type { ClientCalls, CreatingCallName } from '#contract/calls.ts'
import { ApiError, currentOf } from './api-error.ts'
import { isUncertain, withRetries } from './change.ts'
import { exchange } from './client.ts'

/** The maximum number of remembered calls with an unknown outcome, of each kind. */
const REMEMBERED = 40

/** A creating call that may have succeeded. Its key makes it safe to repeat. */
export type LostCall = {
  key: string
  input: object
  /** The time of the first attempt. */
  sentAt: number
  /** Whether the created resource may have been updated with the current fields of the form. */
  isAmended: boolean
  /** The version of the created resource that the user has seen in a conflict. */
  version?: number | undefined
}

/** The calls of a form that may have succeeded. They are stored with its draft and survive a reload. */
export type FormCalls = {
  creation?: LostCall | undefined
  /** The bodies of updates. */
  updates: readonly object[]
}

/** A form that creates or updates one resource, even if its fields change after an attempt whose response was lost. */
export type SendingForm = {
  calls: FormCalls
  /** Called before a call is sent, once `calls` contains it. */
  keep: () => void
  /** Whether the user has seen the fields of the current resource. */
  isSeen?: (current: unknown) => boolean
}

/** Forgets the calls of a form, whose next call is about another resource. */
export function clearCalls(calls: FormCalls): void {
  calls.creation = undefined
  calls.updates = []
}

/** The key is the identity of a call: its name and input. */
const lostCalls = new Map<string, LostCall>()

type Repeating<N extends CreatingCallName> = {
  /** The identity of a call, by default its whole input. A repetition sends the input of the first call. */
  identity?: unknown
  /** Called after the input of an earlier attempt was sent instead of this one. */
  onRepeat?: () => void
  form?: SendingForm
  /** Finds the created resource after all responses were lost; resolves to undefined if it does not exist. */
  find?: () => Promise<CallResponse<ClientCalls[N]> | undefined>
  /** Updates the resource that an earlier attempt created with the current fields of the form. */
  amend?: (created: CallResponse<ClientCalls[N]>) => Promise<CallResponse<ClientCalls[N]>>
}

/**
 * Creates a resource exactly once: if the response is lost or the server is unavailable, the call is retried for a while under
 * the same idempotency key. If all attempts fail, a later call with the same input reuses the key. If the fields of the form have
 * changed by then, the earlier call is repeated and the resource that it created is updated. Throws ApiError.
 */
export async function create<N extends CreatingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  repeating: Repeating<N> = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const { identity = input, onRepeat, find, form, amend } = repeating
  const request = JSON.stringify([name, identity], withFiles)
  const same = lostCalls.get(request)
  const lost = same ?? form?.calls.creation
  const call = lost ?? { key: randomKey(), input, sentAt: Date.now(), isAmended: false }
  let created: CallResponse<ClientCalls[N]> | undefined
  let isLost = false
  if (form && form.calls.creation !== call) {
    form.calls.creation = call
    form.keep()
  }
  try {
    const sent = call.input as CallInput<ClientCalls[N]>
    const send = () => exchange(name, sent, { idempotencyKey: call.key })
    created = await withRetries(whenUncertain(send, () => (isLost = true)))
    const isOther = lost !== undefined && (lost !== same || lost.isAmended)
    const result = amend && isOther ? await amended(lost, created, amend) : created
    forget(call, form)
    if (same && !isOther) onRepeat?.()
    return result
  } catch (error) {
    // If `find` fails too, the outcome remains unknown.
    const found = created === undefined && isUncertain(error) && (await find?.().catch(() => undefined))
    if (found) {
      forget(call, form)
      return found
    }
    const isNothing = created === undefined ? isRefused(error) : isGone(error)
    if (isLost && !isNothing && lost === same) remember(lostCalls, request, call)
    if (isNothing || (lost === undefined && !isLost)) forget(call, form)
    if (lost === undefined || !isNothing) throw error
    // The same input was refused; it has not created anything.
    if (created === undefined && lost === same) throw error
    return create(name, input, repeating)
  }
}

/** Returns a function that calls `send`, and `note` after each failure that may have succeeded. */
const whenUncertain =
  <T>(send: () => Promise<T>, note: () => void) =>
  (): Promise<T> =>
    send().catch((error: unknown) => {
      if (isUncertain(error)) note()
      throw error
    })

/** Updates the resource that an earlier attempt created. A conflict is reported, and the next attempt is based on its version. */
async function amended<T>(lost: LostCall, created: T, amend: (created: T) => Promise<T>): Promise<T> {
  lost.isAmended = true
  try {
    return await amend(lost.version === undefined ? created : { ...created, version: lost.version })
  } catch (error) {
    const current = currentOf(error) as { version: number } | null
    if (current) lost.version = current.version
    throw error
  }
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

/** Whether the server refused the input of a call, which therefore had no effect. */
const isRefused = (error: unknown) =>
  error instanceof ApiError && [400, 409, 413, 415, 422].includes(error.status)

/** The bodies of failed updates that may have been saved, by resource. */
const lostBodies = new Map<string, object[]>()

type UpdatingCallName =
  | 'updateProject'
  | 'updateMilestone'
  | 'updateEntry'
  | 'updateRegistration'
  | 'updateAnnouncement'
  | 'updateTerms'

/**
 * Updates `version` of a resource, with the retries of `create`. If an earlier attempt was saved but its response was lost, the
 * server refuses the next one as stale and returns the current resource. If that has the values of this call, the update is
 * complete and `onRepeat` is called. If it has the values of an earlier attempt, or the user has seen it, the update is repeated
 * with its version. Throws ApiError.
 */
export async function update<N extends UpdatingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]> & { params?: object; body: object },
  version: number,
  { form, onRepeat }: { form?: SendingForm | undefined; onRepeat?: () => void } = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const { params, body } = input
  // The other params may differ, because an entry may have been moved to another milestone.
  const id = JSON.stringify([name, Object.values(params ?? {}).at(-1)])
  const before = [...new Set([...(lostBodies.get(id) ?? []), ...(form?.calls.updates ?? [])])]
  let tries = [...before, body]
  const settle = () => {
    lostBodies.delete(id)
    if (form) form.calls.updates = []
  }
  if (form) {
    form.calls.updates = tries
    form.keep()
  }
  for (let base = version; ; ) {
    try {
      const send = () => exchange(name, input, { ifMatch: base })
      const updated = await withRetries(whenUncertain(send, () => remember(lostBodies, id, tries)))
      settle()
      return updated
    } catch (error) {
      if (form && !lostBodies.has(id)) form.calls.updates = before
      const current = currentOf(error)
      if (current === null) throw error
      if (hasAll(current, body) && !hasImage(body)) {
        settle()
        onRepeat?.()
        return current as CallResponse<ClientCalls[N]>
      }
      const { version: found } = current as { version: number }
      const isOther = (sent: object) => !hasAll(current, sent)
      // If no outcome was uncertain, somebody else has saved these values; the images may differ.
      const possible = lostBodies.has(id) ? tries : tries.filter((sent) => sent !== body)
      if (possible.every(isOther) && (found === base || !form?.isSeen?.(current))) {
        settle()
        throw error
      }
      tries = tries.filter(isOther)
      base = found
    }
  }
}

/** The fields of a body that control the save and are not part of the resource. */
const ABOUT_THE_SAVE = new Set(['draft', 'merged', 'image', 'removeImage'])

/** Whether a body changes the image, which cannot be compared with that of a response. */
const hasImage = (body: object) => 'image' in body || 'removeImage' in body

/** Whether a resource has every value that was sent. Responses omit fields that were sent as null. */
function hasAll(current: unknown, sent: object): boolean {
  if (typeof current !== 'object' || current === null) return false
  const values = new Map<string, unknown>(Object.entries(current))
  return Object.entries(sent).every(
    ([name, value]) =>
      value === undefined ||
      ABOUT_THE_SAVE.has(name) ||
      JSON.stringify(value) === JSON.stringify(values.get(name) ?? null),
  )
}

function remember<T>(among: Map<string, T>, id: string, what: T): void {
  among.set(id, what)
  const [oldest] = among.keys()
  if (among.size > REMEMBERED && oldest !== undefined) among.delete(oldest)
}

function forget(call: LostCall, form: SendingForm | undefined): void {
  if (form?.calls.creation === call) form.calls.creation = undefined
  for (const [id, other] of lostCalls) if (other === call) lostCalls.delete(id)
}

/** JSON cannot represent a file. */
const withFiles = (_name: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

/** Returns a random key of 128 bits without crypto.randomUUID, which does not exist on plain http. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
