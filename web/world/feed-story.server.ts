import { setImmediate as untilIdle } from 'node:timers/promises'
import type { WorldEntries } from '#contract/world.ts'
import { excerpt } from '#web/entries/excerpt.ts'
import { withAbsoluteLinks } from './absolute-links.ts'
import { worldEntryPath, worldPath } from './paths.ts'
import { readingOf } from './reading.server.ts'

/** How many characters of Markdown a feed renders, the newest first; of what is older it has the beginnings alone. */
const CONTENT_MAX = 200_000

export type Story = Awaited<ReturnType<typeof storyOf>>

/** What every format says, as it says it in XML: without characters that XML cannot hold. */
export async function storyOf({ project, changedAt, entries }: WorldEntries, origin: string) {
  const whole = (path: string) => new URL(path, origin).href
  let left = CONTENT_MAX
  const told = []
  for (const entry of entries) {
    left -= entry.content.length
    told.push(episodeOf(entry, whole(worldEntryPath(project._id, entry._id)), left >= 0))
    // Rendering takes its time, and others wait.
    await untilIdle()
  }
  return {
    title: sayable(project.title),
    description: sayable(project.description),
    author: sayable(project.user.name),
    url: whole(worldPath(project._id)),
    updated: new Date(changedAt),
    entries: told,
  }
}

function episodeOf(entry: WorldEntries['entries'][number], url: string, inFull: boolean) {
  const { _id, title, tags, content, imageURL, createdAt, updatedAt, milestoneTitle } = entry
  const picture = imageURL ? `<p><img src="${new URL(imageURL, url).href}" alt=""/></p>` : ''
  return {
    id: `urn:uuid:${_id}`,
    url,
    title: sayable(title),
    tags: [milestoneTitle, ...tags].map(sayable),
    html: inFull ? picture + sayable(withAbsoluteLinks(readingOf(entry).html, url)) : undefined,
    summary: sayable(inFull ? readingOf(entry).summary : excerpt(content)),
    published: new Date(createdAt),
    updated: new Date(updatedAt),
  }
}

/** Characters that no XML document may hold, not even escaped, and the other controls. */
const unsayable = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

const sayable = (text: string) => text.replace(unsayable, '').trim()
