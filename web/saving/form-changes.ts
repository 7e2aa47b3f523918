import { z } from 'zod'
import type { CallResponse } from '#contract/call.ts'
import type { ClientCallName, ClientCalls } from '#contract/calls.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { exchange, type RequestOptions } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { withRetries } from '#web/api/retries.ts'

/** A call that saves the fields of a form. */
type SentCall = { call: string; params: Record<string, string>; body: Record<string, unknown> }

const changeRecord = z.object({
  /** Names the change: the server makes it once, however often it arrives. It names one body, so a sent record never changes. */
  id: z.string(),
  call: z.string(),
  params: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
  /** The version that it changes; 0 if it creates something. */
  base: z.number(),
  isSent: z.boolean(),
})
type ChangeRecord = z.infer<typeof changeRecord>

/** What the draft of a form stores about its changes. Drafts of older versions have none. */
export const storedChanges = z
  .object({ id: z.string().optional(), records: z.array(changeRecord) })
  .optional()
  .catch(undefined)
export type StoredChanges = z.infer<typeof storedChanges>

/** The changes of one form whose outcome is not known: one that was sent and, if the fields have changed since, the next one. */
export type FormChanges = {
  /** The id of what the form creates. */
  id?: string | undefined
  records: ChangeRecord[]
  /** Stores them with the draft. Called before a change is sent. */
  keep: () => void
  /** Whether the person has seen the fields of the current resource, although its version is another. */
  isSeen?: (current: unknown) => boolean
  /** The last change of which this page knows that the server has it, and the version that it made. */
  acknowledged?: { body: Record<string, unknown>; version: number }
}

export const noChanges = (stored?: StoredChanges): FormChanges => ({
  id: stored?.id,
  records: stored?.records ?? [],
  keep: () => undefined,
})

/** Returns the id of what a form creates. */
export const idOf = (form: FormChanges): string => (form.id ??= newId())

/** Forgets the changes of a form, whose next one is about something else. Returns the function that brings them back. */
export function clearChanges(changes: FormChanges): () => void {
  const { id, records } = changes
  Object.assign(changes, { id: undefined, records: [] })
  return () => void Object.assign(changes, { id, records })
}

export const changesToStore = ({ id, records }: FormChanges): StoredChanges =>
  id === undefined && records.length === 0 ? undefined : { id, records }

type Typed<N extends ClientCallName> = SentCall & { call: N }

type Saving<C extends ClientCallName, U extends ClientCallName> = {
  /** The version on which the form is based; 0 if it creates something. */
  version: number
  /** How to create it under the id of the form. */
  create?: (id: string) => Typed<C>
  /** How to change it; `id` is that of what the form has created. */
  update: (id: string) => Typed<U>
}

/**
 * Saves the fields of a form: creates something, or changes it. If the outcome of an earlier attempt is not known, that is sent again
 * under its id and, if the fields have changed since, followed by a change of its result. Throws ApiError; `stale` also if another
 * form has created something else under the same id.
 */
export async function saveForm<C extends ClientCallName, U extends ClientCallName>(
  form: FormChanges,
  saving: Saving<C, U>,
): Promise<CallResponse<ClientCalls[C]> | CallResponse<ClientCalls[U]>> {
  plan(form, saving)
  let saved: unknown
  for (let record = form.records[0]; record; record = form.records[0]) {
    const { isSent } = record
    record.isSent = true
    form.keep()
    try {
      saved = await withRetries(() => send(record))
    } catch (error) {
      if (!isDefinite(error)) throw error
      return afterRefusal(form, saving, { error, isSent })
    }
    form.records.shift()
    form.acknowledged = { body: record.body, version: record.base + 1 }
    for (const next of form.records) follow(next, saved)
  }
  return saved as CallResponse<ClientCalls[C]> | CallResponse<ClientCalls[U]>
}

/** Adds the change that saves the current fields, unless it is the last one already. A record that was not sent is replaced. */
function plan<C extends ClientCallName, U extends ClientCallName>(form: FormChanges, saving: Saving<C, U>) {
  const { create, update, version } = saving
  const id = idOf(form)
  if (form.records.at(-1)?.isSent === false) form.records.pop()
  const last = form.records.at(-1)
  const isNew = create !== undefined && version === 0
  const again = last && (isNew && last.base === 0 ? create(id) : update(id))
  if (last && again && isSame(last, again)) return
  const next = isNew && !last ? create(id) : update(id)
  // Not the version of an answer, which may have been made by others.
  const base = last ? last.base + 1 : version
  form.records.push({ id: newId(), ...next, base, isSent: false })
}

const isSame = (one: SentCall, other: SentCall) =>
  JSON.stringify([one.call, one.params, one.body]) === JSON.stringify([other.call, other.params, other.body])

/** After a refusal nothing of the form is on its way. What is known to be refused is not sent again. */
function afterRefusal<C extends ClientCallName, U extends ClientCallName>(
  form: FormChanges,
  saving: Saving<C, U>,
  { error, isSent }: { error: ApiError; isSent: boolean },
) {
  const hasNext = form.records.length > 1
  form.records = []
  const current = currentOf(error) as { version: number } | null
  if (current && form.isSeen?.(current)) return saveForm(form, { ...saving, version: current.version })
  if (error.code === 'id_taken') form.id = newId()
  // An id that was never sent is taken by what another tab made of the same draft, and has deleted since.
  const isRepeatable = error.code === 'id_taken' ? !isSent : hasNext && current === null
  if (!isRepeatable) throw error
  return saveForm(form, saving)
}

/** The statuses that say that a change was not made. With 500 only if it is the server's, which rolls back then. */
const DEFINITE = new Set([400, 403, 404, 409, 412, 413, 415, 422])

const isDefinite = (error: unknown): error is ApiError =>
  error instanceof ApiError && (DEFINITE.has(error.status) || (error.status === 500 && error.isFromServer))

/** A change that was waiting for another one takes the place of the thing, and its id, from its answer. */
function follow(next: ChangeRecord, answer: unknown) {
  const { _id, milestone } = answer as { _id: string; milestone?: string }
  const own = Object.keys(next.params).at(-1)
  if (own === 'entryId' && milestone !== undefined) next.params = { ...next.params, milestoneId: milestone }
  if (own !== undefined) next.params = { ...next.params, [own]: _id }
}

async function send(record: ChangeRecord): Promise<unknown> {
  const { id, params, body, base } = record
  const call = record.call as 'updateEntry'
  let isApplied = true
  const options: RequestOptions = {
    idempotencyKey: id,
    ...(base > 0 && { ifMatch: base }),
    onHeaders: (headers) => {
      isApplied = headers.get('change-applied') !== 'false'
    },
  }
  const sendTo = (place: Record<string, string>) =>
    exchange(call, { params: place, body } as never, options) as Promise<unknown>
  const answer = await sendTo(params).catch((error: unknown) => {
    // An earlier attempt may have moved it.
    const { milestone } = body
    const mayBeMoved = call === 'updateEntry' && typeof milestone === 'string'
    if (!mayBeMoved || !(error instanceof ApiError && error.status === 404)) throw error
    return sendTo({ ...params, milestoneId: milestone }).catch(() => Promise.reject(error))
  })
  if (!isApplied) throw new ApiError(412, 'stale', 'This was saved elsewhere', { current: answer })
  return answer
}
