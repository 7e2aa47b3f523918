import { CONTENT_MAX, TAGS_MAX, tags } from '#contract/entries.ts'
import {
  characters,
  composed,
  firstCharacters,
  isBlank,
  isStorable,
  withLineFeeds,
} from '#contract/parts/characters.ts'
import { TAG_MAX } from '#contract/parts/list-options.ts'
import { DESCRIPTION_MAX, TITLE_MAX, title } from '#contract/parts/text.ts'

/** Room for the words that join the parts of a long text. */
const PART_MAX = CONTENT_MAX - 1_000

/** Returns a text without characters that cannot be stored. */
export const storable = (text: string): string => {
  const clean = withLineFeeds(text).replaceAll('\0', '')
  return isStorable(clean) ? clean : clean.toWellFormed().replaceAll(/[\ufffe\uffff]/g, '')
}

/** Returns a title: one line of the allowed length; the fallback if it is blank. */
export function titleOf(text: string, fallback: string): string {
  const line = storable(text).replaceAll(/\s+/gu, ' ').trim()
  if (isBlank(line)) return fallback === text ? 'Untitled' : titleOf(fallback, 'Untitled')
  return characters(line) <= TITLE_MAX ? line : `${firstCharacters(line, TITLE_MAX - 1).trimEnd()}…`
}

/** Returns the title of something that another Milepost stored, as it is if it may be one here: spaces within it are its author's. */
export function storedTitle(text: string): string {
  const { success, data } = title.safeParse(text)
  return success && data === text ? text : titleOf(text, 'Untitled')
}

/** Returns tags that another Milepost stored, as they are if they may be some here: one may begin with `#`. */
export function storedTags(found: string[]): string[] {
  const { success, data } = tags.safeParse(found)
  return success && data.join('\n') === found.join('\n') ? found : tagsOf(found).tags
}

/** Returns a description of the allowed length; the fallback if it is blank. */
export function descriptionOf(text: string, fallback: string): string {
  const clean = storable(text).trim()
  if (isBlank(clean)) return fallback
  return characters(clean) <= DESCRIPTION_MAX ? clean : `${firstCharacters(clean, DESCRIPTION_MAX - 1)}…`
}

/** Returns the tags that an entry may have, and how many were too many. */
export function tagsOf(found: string[]): { tags: string[]; dropped: number } {
  const tags = [
    ...new Set(
      found
        .map((tag) => composed(storable(tag).replaceAll(/\s+/gu, ' ').trim().replace(/^#+/, '')))
        .filter((tag) => !isBlank(tag))
        .map((tag) => (characters(tag) <= TAG_MAX ? tag : firstCharacters(tag, TAG_MAX))),
    ),
  ]
  return { tags: tags.slice(0, TAGS_MAX), dropped: Math.max(0, tags.length - TAGS_MAX) }
}

/** Splits a text that is longer than an entry may be, between its paragraphs where that is possible. */
export function partsOf(text: string): string[] {
  if (characters(text) <= CONTENT_MAX) return [text]
  const parts: string[] = []
  let rest = text
  while (characters(rest) > PART_MAX) {
    const most = firstCharacters(rest, PART_MAX)
    const end = Math.max(most.lastIndexOf('\n\n'), most.length / 2) | 0
    const cut = end > most.length / 2 ? end : most.length
    parts.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return isBlank(rest) ? parts : [...parts, rest]
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Changes the lines of a text that are not in a fenced block of code. */
export function changeOutsideCode(text: string, change: (line: string) => string): string {
  let fence: string | undefined
  return text
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[1]
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined
        return line
      }
      fence = mark
      return mark === undefined ? change(line) : line
    })
    .join('\n')
}
