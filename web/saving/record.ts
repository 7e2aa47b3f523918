import type { ChangingCallName } from '#contract/calls.ts'

/** A change of something on the server, until its outcome is known. After it was sent, it stays as it is: its id names one body. */
export type ChangeRecord = {
  /** Names the change: the server makes it once, however often it arrives. */
  readonly id: string
  /** Who made it: nobody else sees or sends it. */
  readonly person: string
  readonly call: ChangingCallName
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The id of what it makes or changes. */
  readonly thing: string
  /** The version that it changes; 0 if it creates something, or is made whatever the version is. */
  readonly base: number
  /** Whether a form has made it, which then shows its refusal. */
  readonly isOfForm: boolean
  /** Orders the changes of one browser. */
  readonly at: number
  readonly isSent: boolean
  /** Whether its form is open again, and decides when it is sent. */
  readonly isHeld: boolean
}

/** What of a change its caller decides. */
export type NewChange = Pick<ChangeRecord, 'id' | 'call' | 'params' | 'body' | 'thing' | 'base' | 'isOfForm'>

/** Whether it creates its thing, under an id that the browser has made. */
export const isCreation = ({ body, thing }: NewChange): boolean => body?._id === thing

/**
 * Whether `later` has to wait for `earlier`: a change of the same thing, or the creation of something that it refers to, or both order
 * milestones. Nothing waits for what is held, which may have been made.
 */
export const precedes = (earlier: ChangeRecord, later: ChangeRecord): boolean =>
  !earlier.isHeld &&
  (earlier.thing === later.thing ||
    (earlier.call === 'moveMilestone' && later.call === 'moveMilestone') ||
    idsOf(earlier).some((id) => refersTo(later, id)))

/** Returns the ids of what a change creates: one thing, or the files that it reserves. */
function idsOf({ call, thing, body }: ChangeRecord): string[] {
  if (call !== 'reserveFiles') return body?._id === thing ? [thing] : []
  const files = (body?.files ?? []) as { _id: string }[]
  return files.map(({ _id }) => _id)
}

/** Whether a change is one of this thing, of something in it, or of a text that shows it: the server forgets a file that is unknown. */
export function refersTo({ thing, params, body }: ChangeRecord, id: string): boolean {
  if (thing === id || Object.values(params).includes(id)) return true
  const { milestone, coverFile, content } = body ?? {}
  return milestone === id || coverFile === id || (typeof content === 'string' && content.includes(id))
}

/** Whether two changes are the same attempt of a person: only their ids differ. Files are not compared. */
export const isSameChange = (one: NewChange, other: NewChange): boolean =>
  contentOf(one) === contentOf(other) && !Object.values(one.body ?? {}).some((value) => value instanceof Blob)

const contentOf = ({ call, params, body, base }: NewChange) => JSON.stringify([call, params, body, base])

/** Whether two changes set the same fields, whatever the version is. What a list adds is no value that another one replaces. */
export const setsTheSame = (one: NewChange, other: NewChange): boolean =>
  one.call === other.call &&
  one.call.startsWith('update') &&
  one.base === 0 &&
  other.base === 0 &&
  Object.keys(one.body ?? {}).join() === Object.keys(other.body ?? {}).join() &&
  !Object.values(one.body ?? {}).some(Array.isArray)

/** Returns a change that waited for another one of the same thing: an entry may have been moved by that. */
export function following(next: ChangeRecord, before: ChangeRecord, answer: unknown): ChangeRecord {
  const { milestone } = (answer ?? {}) as { milestone?: string }
  const isOfMoved = next.thing === before.thing && 'entryId' in next.params && milestone !== undefined
  return isOfMoved ? { ...next, params: { ...next.params, milestoneId: milestone } } : next
}
