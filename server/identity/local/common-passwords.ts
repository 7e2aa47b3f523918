import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isCommonPassword as isMostCommon } from '#contract/common-passwords.ts'
import { PASSWORD_MIN } from '#contract/sign-in.ts'

const LIST = '@zxcvbn-ts/language-common/src/passwords.json'

let list: string | undefined

/**
 * Returns the passwords of the list that are long enough to pass otherwise, some 42,000, each between two line feeds. One
 * string takes a megabyte, a set of them five, and searching it takes less than a hundredth of the time of a hash.
 */
function readList(): string {
  const path = createRequire(import.meta.url).resolve(LIST)
  const passwords = JSON.parse(readFileSync(path, 'utf8')) as string[]
  return `\n${passwords.filter(({ length }) => length >= PASSWORD_MIN).join('\n')}\n`
}

/** Whether guessers try this password early, in whichever case it is typed: it is on the list, or follows a pattern. */
export function isCommonPassword(password: string): boolean {
  if (isMostCommon(password)) return true
  const folded = password.normalize('NFKC').toLowerCase()
  if (isRepetition(folded) || isSequence(folded)) return true
  list ??= readList()
  return !folded.includes('\n') && list.includes(`\n${folded}\n`)
}

/** What guessers know of an account, besides the name of the product. */
export type Known = { email: string; names: readonly string[] }

/** The context-specific words of the standard are these: the product, and the words of an account's names and email. */
const PRODUCT = 'milepost'
const WORD_MIN = 3

/** Whether a password has no letter or digit left, once the words that guessers know are taken out of it. */
export function isMadeOfKnown(password: string, { email, names }: Known): boolean {
  const words = [PRODUCT, email, ...names]
    .map((word) => word.normalize('NFKC').toLowerCase())
    .flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter(({ length }) => length >= WORD_MIN)
    .toSorted((a, b) => b.length - a.length)
  let rest = password.normalize('NFKC').toLowerCase()
  for (const word of words) rest = rest.replaceAll(word, '')
  return !/[\p{L}\p{N}]/u.test(rest)
}

const UNIT_MAX = 4

/** Whether it is one to four characters again and again. The list leaves such passwords out, as it does sequences. */
function isRepetition(password: string): boolean {
  for (let unit = 1; unit <= UNIT_MAX; unit += 1)
    if (
      password ===
      password
        .slice(0, unit)
        .repeat(Math.ceil(password.length / unit))
        .slice(0, password.length)
    )
      return true
  return false
}

/** Whether each character follows the one before it, as in `abcdefgh`, or comes before it, as in `87654321`. */
function isSequence(password: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < password.length; at += 1)
    steps.add(password.charCodeAt(at) - password.charCodeAt(at - 1))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}
