import type { WorldEntry } from '#contract/world.ts'
import { readingOf } from './reading.server.ts'

export type EntryPage = ReturnType<typeof entryPage>

/** What the page of a public entry shows: the entry as HTML, and the way to its neighbours. */
export function entryPage({ project, milestone, entry, previous, next }: WorldEntry) {
  const { _id, title, tags, imageURL, image, createdAt, updatedAt } = entry
  const { html, summary, minutes } = readingOf(entry)
  return {
    project: { _id: project._id, title: project.title, ownerName: project.user.name },
    milestone,
    entry: { _id, title, tags, imageURL, image, createdAt, updatedAt, summary, minutes },
    html,
    previous,
    next,
  }
}
