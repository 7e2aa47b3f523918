import type { WorldEntry } from '#contract/world.ts'

const WORDS_A_MINUTE = 220

export type EntryPage = ReturnType<typeof entryPage>

/** What the page of a public entry shows: the entry as HTML, and the way to its neighbours. */
export function entryPage({ project, milestone, entry, previous, next }: WorldEntry) {
  const { _id, title, tags, imageURL, image, createdAt, updatedAt, excerpt, wordCount, html } = entry
  const minutes = Math.max(1, Math.round(wordCount / WORDS_A_MINUTE))
  return {
    project: { _id: project._id, title: project.title, ownerName: project.user.name },
    milestone,
    entry: { _id, title, tags, imageURL, image, createdAt, updatedAt, excerpt, minutes },
    html,
    previous,
    next,
  }
}
