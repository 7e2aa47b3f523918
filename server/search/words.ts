import { setImmediate } from 'node:timers/promises'
import { foldToFind } from '#contract/parts/folding.ts'
import { innerPairs, splitWords } from './split.ts'

/** Raised when documents change: the rules by which texts become words, or what is indexed of a thing. The index is then filled again. */
export const INDEX_VERSION = 3

const LEXEME_MAX = 100

/** The weights of a document: title, tags, text, names of files. */
type Weight = 'A' | 'B' | 'C' | 'D'

/** The most bytes of a tsvector are a megabyte, and the highest position is 16,383. */
const BYTES_MAX = 600_000
const POSITION_MAX = 16_000
const PER_LEXEME_MAX = 200

/** After as many parts of words, others get their turn: a long text would hold the process for a second. */
const PARTS_AT_ONCE = 4_000

/** Returns the literal of a tsvector of folded texts with their weights. */
export async function vectorOf(texts: readonly (readonly [Weight, string])[]): Promise<string> {
  let turn = 0
  const found = new Map<string, string[]>()
  let position = 0
  let bytes = 0
  const add = (lexeme: string, weight: Weight) => {
    if (lexeme.length > LEXEME_MAX || bytes > BYTES_MAX) return
    const known = found.get(lexeme)
    const at = `${Math.min(position, POSITION_MAX)}${weight}`
    if (known) {
      if (known.length < PER_LEXEME_MAX && known.at(-1) !== at) known.push(at)
    } else {
      found.set(lexeme, [at])
      bytes += lexeme.length * 3
    }
    bytes += 2
  }
  for (const [weight, text] of texts) {
    for (const { parts, wholes, kind } of splitWords(text)) {
      turn += parts.length
      if (turn > PARTS_AT_ONCE) {
        turn = 0
        await setImmediate()
      }
      position += 1
      for (const whole of wholes) add(whole, weight)
      position -= 1
      for (const part of parts) {
        position += 1
        add(part, weight)
        if (kind === 'hangul') for (const pair of innerPairs(part)) add(pair, weight)
      }
    }
    // A phrase does not reach from one text into the next.
    position += 5
  }
  return Array.from(found, ([lexeme, at]) => `${quoted(lexeme)}:${at.join(',')}`).join(' ')
}

/** Quotes a lexeme for the literal of a tsvector or tsquery. */
export const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Some characters are folded to eighteen, such as ﷺ. */
const FOLDED_MAX = 400_000
const piece = /[^]{1,10000}(?=\s)|[^]{1,10000}/gu

/** Like `folded`, for a text of any length; what is beyond a limit is left out. */
export async function longFolded(text: string): Promise<string> {
  let result = ''
  for (const [part] of text.matchAll(piece)) {
    result += folded(part)
    if (result.length > FOLDED_MAX) break
    await setImmediate()
  }
  return result
}

/** Folds a text for the index, without characters that it could not store. */
export const folded = (text: string) => foldToFind(text).replaceAll('\0', '')
