import { LRUCache } from 'lru-cache'
import type { Entry } from '#contract/entries.ts'
import { excerpt } from '#web/entries/excerpt.ts'
import { renderMarkdown } from '#web/markdown/render.server.tsx'
import { readingMinutes } from './reading-time.ts'

/** What follows from an entry's content alone. */
type Reading = { html: string; summary: string; minutes: number }

const MAX_CHARACTERS = 8 * 1024 * 1024
/** What keeping a reading costs beside its HTML, about. */
const OVERHEAD_CHARACTERS = 512

/** Under an entry's version, so that a page that changes elsewhere has its Markdown ready. */
const readings = new LRUCache<string, Reading>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: ({ html }) => OVERHEAD_CHARACTERS + html.length,
})

/** An entry to be read, made once of each version of it. */
export function readingOf({ _id, version, content }: Pick<Entry, '_id' | 'version' | 'content'>): Reading {
  const key = `${_id} ${version}`
  const ready = readings.get(key)
  if (ready) return ready
  const made = {
    html: renderMarkdown(content),
    summary: excerpt(content),
    minutes: readingMinutes(content),
  }
  readings.set(key, made)
  return made
}
