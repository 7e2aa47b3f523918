import { ApiError } from './api-error.ts'
import { isUncertain } from './change.ts'
import { sessionsEnded } from './client.ts'

type Lost<Item> = {
  /** The session in which it was tried: what is there in the next one may be another person's. */
  session: number
  /** What was there before the first try whose answer was lost. */
  before: ReadonlySet<string>
  /** Whether something is as one of the tries has asked for. */
  isAsked: (item: Item) => boolean
}

/** By what is made where. */
const lostTries = new Map<string, Lost<never>>()

type Making<Item, Made> = {
  /** What is made where, in a word. */
  id: string
  list: () => Promise<Item[]>
  make: () => Promise<Made>
  remove: (item: Item) => Promise<unknown>
  /** Whether something that was made is as it is asked for now. */
  isAsked: (item: Item) => boolean
}

/**
 * Makes something whose response holds a secret, which is shown once and kept under no idempotency key. Where the response was
 * lost, nobody knows the secret of what may have been made: the next try in the same session removes that first. Throws ApiError;
 * after the end of the session of who makes it, `not_signed_in`.
 */
export async function makeSecret<Item extends { _id: string }, Made>(
  making: Making<Item, Made>,
): Promise<Made> {
  const { id, list, make, remove, isAsked } = making
  const session = sessionsEnded
  const last = lostTries.get(id) as Lost<Item> | undefined
  const lost = last?.session === session ? last : undefined
  const found = await list()
  const unknown = lost ? found.filter((item) => !lost.before.has(item._id) && lost.isAsked(item)) : []
  for (const item of unknown) {
    requireSession(session)
    await remove(item)
  }
  requireSession(session)
  try {
    const made = await make()
    lostTries.delete(id)
    return made
  } catch (error) {
    if (isUncertain(error))
      lostTries.set(id, {
        session,
        before: lost?.before ?? new Set(found.map(({ _id }) => _id)),
        isAsked: (item) => isAsked(item) || lost?.isAsked(item) === true,
      })
    throw error
  }
}

function requireSession(session: number): void {
  if (session !== sessionsEnded) throw new ApiError(401, 'not_signed_in', 'Please sign in to continue')
}
