import type { Token } from 'markdown-it'

type Heading = { id: string; text: string }

/** Prevents collisions between the ids of headings and those of the page. */
export const HEADING_ID_PREFIX = 'section-'

const FRAGMENT_MAX = 1_000

/**
 * Makes links to the text's own headings lead to them. They may be written as on GitHub (`#parts-list`, `#parts-list-1` for the second
 * heading of that name), by the id of the element, or by the words of the heading, in any script and percent-encoded or not. Others
 * stay as written.
 */
export function sectionLinks(tokens: readonly Token[], headings: readonly Heading[]): void {
  if (headings.length === 0) return
  const idOf = idsByFragment(headings)
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const href = token.type === 'link_open' ? String(token.attrGet('href') ?? '') : ''
      if (!href.startsWith('#')) continue
      const fragment = decoded(href.slice(1))
      const id = fragment.length <= FRAGMENT_MAX ? idOf(fragment) : undefined
      if (id !== undefined) token.attrSet('href', `#${id}`)
    }
  }
}

function idsByFragment(headings: readonly Heading[]): (fragment: string) => string | undefined {
  const ids = new Map<string, string>()
  const slugOf = uniqueSlugs()
  const add = (key: string, id: string) => {
    if (key !== '' && !ids.has(key)) ids.set(key, id)
  }
  for (const { id, text } of headings) add(slugOf(text), id)
  for (const { id } of headings) add(plain(id.slice(HEADING_ID_PREFIX.length)), id)
  for (const { id } of headings) add(plain(id), id)
  for (const { id, text } of headings) add(plain(wordsJoined(text)), id)
  return (fragment) => ids.get(plain(fragment)) ?? ids.get(plain(wordsJoined(fragment)))
}

/** Returns a function that derives the fragment of a heading as GitHub does. */
function uniqueSlugs(): (text: string) => string {
  const used = new Map<string, number>()
  return (text) => {
    const slug = plain(text)
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let number = used.get(slug) ?? 0
    let unique = number === 0 ? slug : `${slug}-${number}`
    for (; number > 0 && used.has(unique); unique = `${slug}-${number}`) number++
    used.set(slug, number + 1)
    if (unique !== slug) used.set(unique, 1)
    return unique
  }
}

/** Returns one spelling for texts that differ only in case or in how their accents are encoded. */
const plain = (text: string) => text.normalize('NFC').toLowerCase()

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Returns the letters and digits of a text in lower case, joined by hyphens, as in the ids of headings. */
export const wordsJoined = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [])
    .join('-')
    .slice(0, 64)
    .replace(/\p{Surrogate}$/u, '\uFFFD')
