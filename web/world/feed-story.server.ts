import { setImmediate as untilIdle } from 'node:timers/promises'
import type { WorldEntries } from '#contract/world.ts'
import { withAbsoluteLinks } from './absolute-links.ts'
import { worldEntryPath, worldPath } from './paths.ts'

export type Story = Awaited<ReturnType<typeof storyOf>>

/** What every format says, as it says it in XML: without characters that XML cannot hold. */
export async function storyOf({ project, changedAt, entries }: WorldEntries, origin: string) {
  const whole = (path: string) => new URL(path, origin).href
  const told = []
  for (const entry of entries) {
    told.push(episodeOf(entry, whole(worldEntryPath(project._id, entry._id))))
    // Many links take their time, and others wait.
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

function episodeOf(entry: WorldEntries['entries'][number], url: string) {
  const { _id, title, tags, html, excerpt, imageURL, createdAt, updatedAt, milestoneTitle } = entry
  const picture = imageURL ? `<p><img src="${new URL(imageURL, url).href}" alt=""/></p>` : ''
  return {
    id: `urn:uuid:${_id}`,
    url,
    title: sayable(title),
    tags: [milestoneTitle, ...tags].map(sayable),
    html: html === undefined ? undefined : picture + sayable(withAbsoluteLinks(html, url)),
    summary: sayable(excerpt),
    published: new Date(createdAt),
    updated: new Date(updatedAt),
  }
}

/** Characters that no XML document may hold, not even escaped, and the other controls. */
const unsayable = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

const sayable = (text: string) => text.replace(unsayable, '').trim()
