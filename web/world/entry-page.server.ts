import type { Entry } from '#contract/entries.ts'
import type { World } from '#contract/world.ts'
import { excerpt } from '#web/entries/excerpt.ts'
import { renderMarkdown } from '#web/markdown/render.server.tsx'
import { readingMinutes } from './reading-time.ts'

export type EntryPage = NonNullable<ReturnType<typeof entryPage>>

/** What the page of a public entry shows: the entry as HTML, and the way to its neighbours. Null where there is none. */
export function entryPage({ project, milestones }: World, entryId: string) {
  for (const milestone of milestones) {
    const index = milestone.entries.findIndex(({ _id }) => _id === entryId)
    const entry = milestone.entries[index]
    if (!entry) continue
    return {
      project: { _id: project._id, title: project.title, ownerName: project.user.name },
      milestone: { _id: milestone._id, title: milestone.title },
      entry: readable(entry),
      // Newest first: what was written before stands behind.
      previous: neighbour(milestone.entries[index + 1]),
      next: neighbour(milestone.entries[index - 1]),
    }
  }
  return null
}

function readable({ _id, title, tags, imageURL, image, createdAt, updatedAt, content }: Entry) {
  return {
    _id,
    title,
    tags,
    imageURL,
    image,
    createdAt,
    updatedAt,
    html: renderMarkdown(content),
    summary: excerpt(content),
    minutes: readingMinutes(content),
  }
}

function neighbour(entry: Entry | undefined) {
  return entry ? { _id: entry._id, title: entry.title } : null
}
