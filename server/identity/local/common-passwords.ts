import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isCommonPassword as isMostCommon } from '#contract/common-passwords.ts'
import { PASSWORD_MIN } from '#contract/sign-in.ts'

const LIST = '@zxcvbn-ts/language-common/src/passwords.json'

let list: string | undefined

/**
 * Returns the about 42,000 passwords of the list that have the minimum length, each between two line feeds. One string takes
 * 1 MB of memory, a set 5 MB. Searching the string takes less than 1 % of the time of a hash.
 */
function readList(): string {
  const path = createRequire(import.meta.url).resolve(LIST)
  const passwords = JSON.parse(readFileSync(path, 'utf8')) as string[]
  return `\n${passwords.filter(({ length }) => length >= PASSWORD_MIN).join('\n')}\n`
}

/** Returns whether a password, in any case, is on the list or follows a pattern that attackers try early. */
export function isCommonPassword(password: string): boolean {
  if (isMostCommon(password)) return true
  const folded = password.normalize('NFKC').toLowerCase()
  if (isRepetition(folded) || isSequence(folded)) return true
  list ??= readList()
  return !folded.includes('\n') && list.includes(`\n${folded}\n`)
}

/** What attackers know about an account, besides the name of the product. */
export type AccountWords = { email: string; names: readonly string[] }

/** The context-specific words that the standard (ASVS 6.2.11) requires: the product, and the words of the account's names and email. */
const PRODUCT = 'milepost'
const WORD_MIN = 3

/** Returns whether a password has words that attackers know, and neither letter nor digit besides them. */
export function consistsOfAccountWords(password: string, { email, names }: AccountWords): boolean {
  const words = [PRODUCT, email, ...names]
    .map((word) => word.normalize('NFKC').toLowerCase())
    .flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
    .filter(({ length }) => length >= WORD_MIN)
    .toSorted((a, b) => b.length - a.length)
  const typed = password.normalize('NFKC').toLowerCase()
  let rest = typed
  for (const word of words) rest = rest.replaceAll(word, '')
  return rest !== typed && !/[\p{L}\p{N}]/u.test(rest)
}

const UNIT_MAX = 4

/** Returns whether a password repeats one to four characters. The list contains no such passwords and no sequences. */
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

/** Returns whether the characters ascend one by one, as in `abcdefgh`, or descend, as in `87654321`. */
function isSequence(password: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < password.length; at += 1)
    steps.add(password.charCodeAt(at) - password.charCodeAt(at - 1))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}
