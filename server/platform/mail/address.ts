import { isStorable } from '#contract/characters.ts'

export type MailAddress = { name: string; address: string }

/** One address and nothing that could be read as another, or as the next header. */
export function isBareAddress(text: string): boolean {
  return /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(text) && isStorable(text)
}

/** Without anything that could end a header. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text) && isStorable(text)
}

/** Reads `mail@example.org` or `A name <mail@example.org>`; null where it is neither. */
export function readMailAddress(text: string): MailAddress | null {
  const [, name = '', address = text] = /^([^<]*)<(.*)>$/.exec(text) ?? []
  return isBareAddress(address) && isOneLine(name) ? { name: name.trimEnd(), address } : null
}
