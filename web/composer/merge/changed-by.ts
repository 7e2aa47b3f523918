import type { Entry } from '#contract/entries.ts'
import { request } from '#web/api/client.ts'

/** The people who changed an entry, for a sentence: 'Grace', 'Grace and you'. */
export type Others = string

/**
 * Returns the people who have changed an entry since it was read, before it was `saved`: at least the last of them.
 * It is only informative, so it returns 'somebody else' if the request fails.
 */
export async function changedBy(
  projectId: string,
  { _id, updatedAt }: Entry,
  saved?: Entry,
): Promise<Others> {
  try {
    const { activity } = await request('listActivity', { params: { projectId } })
    const changes = activity.filter(
      ({ kind, entry, createdAt }) =>
        entry?._id === _id &&
        (kind === 'entry_written' || kind === 'entry_edited') &&
        (!saved || createdAt < saved.updatedAt),
    )
    // Edits in quick succession are one activity, which may have begun before the entry was read.
    const since = changes.filter(({ createdAt }, index) => index === 0 || createdAt > updatedAt)
    return namesOf(since.map(({ actor }) => (actor?.isMe ? 'you' : (actor?.name ?? 'somebody'))))
  } catch {
    return 'somebody else'
  }
}

function namesOf(names: string[]): string {
  const [first = 'somebody else', ...more] = new Set(names)
  const last = more.pop()
  return last === undefined ? first : `${[first, ...more].join(', ')} and ${last}`
}

/** Names the authors of the changes that were saved together with the user's. */
export const mergedWith = (others: Others): string =>
  others === 'you'
    ? 'Merged with changes that you saved in another tab or on another device'
    : `Merged with changes by ${others}`
