import { sessionEnded } from './api-error.ts'
import { isUncertain } from './change.ts'
import { sessionsEnded } from './client.ts'

type Lost<Item> = {
  /** The session of the attempts: in the next one, another person may be signed in. */
  session: number
  /** The resources that existed before the first attempt whose response was lost. */
  before: ReadonlySet<string>
  /** Whether a resource has the values of one of the attempts. */
  isRequested: (item: Item) => boolean
}

/** The lost attempts by `id`. */
const lostTries = new Map<string, Lost<never>>()

type Making<Item, Made> = {
  /** Identifies the kind of the resource and its parent. */
  id: string
  list: () => Promise<Item[]>
  make: () => Promise<Made>
  remove: (item: Item) => Promise<unknown>
  /** Whether a created resource has the values of the current attempt. */
  isRequested: (item: Item) => boolean
}

/**
 * Creates a resource whose response contains a secret, which is shown once and therefore not stored for an idempotency key. If
 * the response is lost, so is the secret: the next attempt in the same session first deletes the resource that was created.
 * Throws ApiError; `not_signed_in` if the session of the caller ended in the meantime.
 */
export async function createWithSecret<Item extends { _id: string }, Made>(
  making: Making<Item, Made>,
): Promise<Made> {
  const { id, list, make, remove, isRequested } = making
  const session = sessionsEnded
  const last = lostTries.get(id) as Lost<Item> | undefined
  const lost = last?.session === session ? last : undefined
  const found = await list()
  const unknown = lost ? found.filter((item) => !lost.before.has(item._id) && lost.isRequested(item)) : []
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
        isRequested: (item) => isRequested(item) || lost?.isRequested(item) === true,
      })
    throw error
  }
}

function requireSession(session: number): void {
  if (session !== sessionsEnded) throw sessionEnded()
}
