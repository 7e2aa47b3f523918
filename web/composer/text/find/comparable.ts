import { fold } from '#contract/parts/folding.ts'

/** Known characters; a text has few different ones, and folding costs more than looking one up. */
const known = new Map<string, string>()
const KNOWN_MAX = 10_000

/** The accents that are dropped: in a decomposed text, each is a character of its own. */
const ACCENTS = /[\u0300-\u036F]/g

/** Returns a text as a search in the editor compares it: without case, accents and invisible marks, however they are encoded. */
export function comparableOf(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  const comparable = fold(text).normalize('NFD').replace(ACCENTS, '')
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(text, comparable)
  return comparable
}
