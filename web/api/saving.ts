import type { CallInput, CallResponse } from '#contract/call.ts'
import type { ClientCalls, CreatingCallName } from '#contract/calls.ts'
import { ApiError, currentOf } from './api-error.ts'
import { isUncertain, persist } from './change.ts'
import { exchange } from './client.ts'

/** How many calls that nobody knows the outcome of are remembered, of each kind. */
const REMEMBERED = 40

/** A creating call that may have been done. Sent again under its key, it is the same call. */
export type LostCall = {
  key: string
  input: object
  /** When it was sent first. */
  sentAt: number
  /** Set once what it created may have been changed to what the form says now. */
  isAmended: boolean
  /** The version of what it created that somebody was shown because others had changed it. */
  version?: number | undefined
}

/** What a form has sent that may have been done. Kept with the draft of the form, it outlives the page. */
export type FormCalls = {
  creation?: LostCall | undefined
  /** The bodies of updates. */
  updates: readonly object[]
}

/** A form that creates or changes one thing, whatever becomes of its fields after a try whose answer was lost. */
export type SendingForm = {
  calls: FormCalls
  /** Called before a call is sent, once `calls` has it. */
  keep: () => void
  /** Whether the server has, in all fields of the form, what its person has seen. */
  isSeen?: (current: unknown) => boolean
}

/** Forgets what a form has sent: what it sends next is about something else. */
export function forgetCalls(calls: FormCalls): void {
  calls.creation = undefined
  calls.updates = []
}

/** By what makes a call the same one: what it asks for. */
const lostCalls = new Map<string, LostCall>()

type Repeating<N extends CreatingCallName> = {
  /** What makes two calls the same, where that is not all of their input; the input of the first is sent again. */
  identity?: unknown
  /** Called once the input of an earlier try was sent instead of this one. */
  onRepeat?: () => void
  form?: SendingForm
  /** Finds what was created where every answer was lost; resolves to undefined where it is not there. */
  find?: () => Promise<CallResponse<ClientCalls[N]> | undefined>
  /** Makes what an earlier try of the form has created what its fields say now. */
  amend?: (created: CallResponse<ClientCalls[N]>) => Promise<CallResponse<ClientCalls[N]>>
}

/**
 * Makes a call that creates something, once: where its answer is lost or the server is not available, it is sent again for
 * a while, under the same key. Where all of that fails, the same call has the same key when somebody makes it again; and if the
 * fields of the form have changed by then, the earlier call is made again, and what it created is changed. Throws ApiError.
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
    created = await persist(noting(send, () => (isLost = true)))
    const isOther = lost !== undefined && (lost !== same || lost.isAmended)
    const result = amend && isOther ? await amended(lost, created, amend) : created
    forget(call, form)
    if (same && !isOther) onRepeat?.()
    return result
  } catch (error) {
    // Where that cannot be fetched either, nobody knows.
    const found = created === undefined && isUncertain(error) && (await find?.().catch(() => undefined))
    if (found) {
      forget(call, form)
      return found
    }
    const isNothing = created === undefined ? isRefused(error) : isGone(error)
    if (isLost && !isNothing && lost === same) remember(lostCalls, request, call)
    if (isNothing || (lost === undefined && !isLost)) forget(call, form)
    if (lost === undefined || !isNothing) throw error
    // The same call was refused for what it asks for; another one has not been made yet.
    if (created === undefined && lost === same) throw error
    return create(name, input, repeating)
  }
}

/** Returns `send` so that `note` is called whenever it fails so that it may have been done. */
const noting =
  <T>(send: () => Promise<T>, note: () => void) =>
  (): Promise<T> =>
    send().catch((error: unknown) => {
      if (isUncertain(error)) note()
      throw error
    })

/** Changes what an earlier try created. Where others have changed it since, the person is shown that, and may go on. */
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

/** Whether the server refused a call for what it asks for: it was never done. */
const isRefused = (error: unknown) =>
  error instanceof ApiError && [400, 409, 413, 415, 422].includes(error.status)

/** The bodies of the updates of something that failed so that they may have been saved. */
const lostBodies = new Map<string, object[]>()

type UpdatingCallName =
  | 'updateProject'
  | 'updateMilestone'
  | 'updateEntry'
  | 'updateRegistration'
  | 'updateAnnouncement'
  | 'updateTerms'

/**
 * Makes a call that changes `version` of something, and sends it again as `create` does. Where an earlier try was saved and
 * its answer lost, the server refuses the next one as stale and shows what it has. If that is what was sent, it is saved, and
 * `onRepeat` is called; if it is what was sent before somebody went on typing, or what they have seen, the update is based on
 * it. Throws ApiError.
 */
export async function update<N extends UpdatingCallName>(
  name: N,
  input: CallInput<ClientCalls[N]> & { params?: object; body: object },
  version: number,
  { form, onRepeat }: { form?: SendingForm | undefined; onRepeat?: () => void } = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const { params, body } = input
  // An entry that was moved is in another milestone.
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
      const updated = await persist(noting(send, () => remember(lostBodies, id, tries)))
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
      const others = tries.filter((sent) => !hasAll(current, sent))
      if (others.length === tries.length && (found === base || !form?.isSeen?.(current))) {
        settle()
        throw error
      }
      tries = others
      base = found
    }
  }
}

/** What a body says about the save, and not about what is saved. */
const ABOUT_THE_SAVE = new Set(['draft', 'merged', 'image', 'removeImage'])

/** Whether a body changes the image, which cannot be compared with that of a response. */
const hasImage = (body: object) => 'image' in body || 'removeImage' in body

/** Whether a resource has every value that was sent. Responses leave out what there is none of, for which null is sent. */
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

/** JSON has nothing to say about a file. */
const withFiles = (_name: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

/** 128 bits; crypto.randomUUID does not exist on plain http. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
