import type { ClientCallName, ClientCalls } from '#contract/calls.ts'
import type { CallResponse } from '#contract/parts/call.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { newId } from '#web/api/ids.ts'
import type { Outbox } from './outbox.ts'
import { outbox } from './page-outbox.ts'
import { isSameChange, type NewChange } from './record.ts'

/** A call that saves the fields of a form. */
type SentCall = { call: string; params: Record<string, string>; body: Record<string, unknown> }

/** What a form knows about its changes, which are in the outbox. */
export type FormChanges = {
  /** The id of what the form creates, which its draft stores. */
  id?: string | undefined
  /** Whether the person has seen the fields of the current resource, although its version is another. */
  isSeen?: (current: unknown) => boolean
  /** The last change of which this page knows that the server has it, and the version that it made. */
  acknowledged?: { body: Record<string, unknown>; version: number }
}

/** Returns the id of what a form creates. */
export const idOf = (form: FormChanges): string => (form.id ??= newId())

/** Returns whether changes of a thing are in the outbox, so that their outcome is not known. */
export const isUnsettled = (thing: string | undefined): boolean =>
  thing !== undefined && outbox.ofForm(thing).length > 0

/** A form of a thing is open: what an earlier page has made of it waits until the form is sent. Resolves once none is on its way. */
export const claimChanges = (thing: string): Promise<void> => outbox.hold(thing)

/** Forgets the changes of a form, whose next one is about something else. Returns the function that brings them back. */
export function clearChanges(form: FormChanges, thing = form.id): () => void {
  const { id } = form
  const bringBack = outbox.drop((record) => record.isOfForm && record.thing === thing)
  form.id = undefined
  return () => {
    form.id = id
    bringBack()
  }
}

type Typed<N extends ClientCallName> = SentCall & { call: N }

type Saving<C extends ClientCallName, U extends ClientCallName> = {
  /** The version on which the form is based; 0 if it creates something. */
  version: number
  /** How to create it under the id of the form. */
  create?: (id: string) => Typed<C>
  /** How to change it; `id` is that of what the form has created. */
  update: (id: string) => Typed<U>
  /** Whether the draft of the form outlives the page, and its changes with it. */
  isStored?: boolean
}

/**
 * Saves the fields of a form: creates something, or changes it. If the outcome of an earlier attempt is not known, that is sent again
 * under its id and, if the fields have changed since, followed by a change of its result. Throws ApiError; `stale` also if another
 * form has created something else under the same id.
 */
export async function saveForm<C extends ClientCallName, U extends ClientCallName>(
  form: FormChanges,
  saving: Saving<C, U>,
  box: Outbox = outbox,
): Promise<CallResponse<ClientCalls[C]> | CallResponse<ClientCalls[U]>> {
  await box.ready
  const next = plan(form, saving, box)
  const before = box.ofForm(next.thing)
  const earlier = before.filter(({ id }) => id !== next.id)
  const adding = { patience: 'brief', isStored: saving.isStored ?? true } as const
  const settled = await Promise.allSettled([
    ...earlier.map(({ id }) => box.resume(id)),
    box.add(next, adding),
  ])
  for (const [index, { status }] of settled.entries()) {
    const { body = {}, base } = earlier[index] ?? next
    if (status === 'fulfilled') form.acknowledged = { body: { ...body }, version: base + 1 }
  }
  const failed = settled.find((outcome) => outcome.status === 'rejected')
  if (!failed) {
    const last = settled.at(-1) as PromiseFulfilledResult<
      CallResponse<ClientCalls[C]> | CallResponse<ClientCalls[U]>
    >
    return last.value
  }
  const error: unknown = failed.reason
  if (!(error instanceof ApiError) || box.ofForm(next.thing).length > 0) throw error
  const wasSent = before.some(({ isSent }) => isSent)
  return afterRefusal(form, saving, { error, wasSent, isEarlier: failed !== settled.at(-1), box })
}

/** Returns the change that saves the current fields: the last one, if that does so already. One that was not sent is replaced. */
function plan<C extends ClientCallName, U extends ClientCallName>(
  form: FormChanges,
  { create, update, version }: Saving<C, U>,
  box: Outbox,
): NewChange {
  const id = create ? idOf(form) : ''
  const thing = create ? id : (Object.values(update(id).params).at(-1) ?? '')
  box.drop((record) => record.isOfForm && record.thing === thing && !record.isSent)
  const last = box.ofForm(thing).at(-1)
  // A creation by an earlier page may have been acknowledged while the form was open.
  const known = version === 0 ? box.acknowledgedVersion(thing) : version
  const isNew = create !== undefined && known === 0
  const changeOf = (sent: SentCall, base: number): NewChange => ({
    ...(sent as SentCall & Pick<NewChange, 'call'>),
    id: newId(),
    thing,
    base,
    isOfForm: true,
  })
  const again = last && changeOf(isNew && last.base === 0 ? create(id) : update(id), last.base)
  if (last && again && isSameChange(last, again)) return last
  // Not the version of an answer, which may have been made by others.
  return changeOf(isNew && !last ? create(id) : update(id), last ? last.base + 1 : known)
}

/** `isEarlier`: not the current fields were refused, but earlier ones. */
type Refusal = { error: ApiError; wasSent: boolean; isEarlier: boolean; box: Outbox }

/** After a refusal nothing of the form is on its way. What is known to be refused is not sent again. */
function afterRefusal<C extends ClientCallName, U extends ClientCallName>(
  form: FormChanges,
  saving: Saving<C, U>,
  { error, wasSent, isEarlier, box }: Refusal,
) {
  const current = currentOf(error) as { version: number } | null
  if (current && form.isSeen?.(current)) return saveForm(form, { ...saving, version: current.version }, box)
  if (error.code === 'id_taken') form.id = newId()
  // An id that was never sent is taken by what another tab made of the same draft, and has deleted since.
  const isRepeatable = error.code === 'id_taken' ? !wasSent : isEarlier && current === null
  if (!isRepeatable) throw error
  return saveForm(form, saving, box)
}
