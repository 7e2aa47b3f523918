import { z } from 'zod'
import { signInTexts } from './sign-in.ts'

export const EMAIL_MAX = 254
/** The maximum number of addresses in a list. */
export const LIST_MAX = 50

/**
 * An email address as `<input type=email>` accepts it: the pattern of the HTML standard. A domain in another script is kept in
 * its ASCII form (`xn--…`), so that both forms are one address. A name that was copied with it is left out.
 */
export const email = z
  .string({
    error: ({ input }) => (input === undefined ? signInTexts.emailRequired : signInTexts.invalidEmail),
  })
  .trim()
  .min(1, { message: signInTexts.emailRequired, abort: true })
  .max(EMAIL_MAX, { message: signInTexts.invalidEmail, abort: true })
  .overwrite(copiedAddress)
  .overwrite(normalEmail)
  .max(EMAIL_MAX, { message: signInTexts.invalidEmail, abort: true })
  .refine((text) => addressesIn(text) === null, { message: signInTexts.oneEmail, abort: true })
  .regex(z.regexes.html5Email, { message: signInTexts.invalidEmail })
  // The pattern is that of the normal form; what is sent may have a domain in any script.
  .meta({ format: 'email', pattern: undefined })

/** What is between the addresses of a list, outside of the quotes of a name. */
const LIST_PARTS = /(?:"[^"]*"|[^",;\r\n])+/g

/**
 * Returns the addresses of a list that somebody has pasted: from a letter, with commas or semicolons and names, or from a column, with
 * spaces or line ends. Null if the text is not several addresses and nothing else.
 */
export function addressesIn(text: string): string[] | null {
  const parts = meant(text.match(LIST_PARTS) ?? []).flatMap((part) =>
    part.includes('<') ? [part] : meant(part.split(/\s+/)),
  )
  if (parts.length < 2 || parts.length > LIST_MAX) return null
  const addresses = parts.map((part) => email.safeParse(part).data)
  return addresses.every((address) => address !== undefined) ? [...new Set(addresses)] : null
}

const meant = (parts: string[]) => parts.filter((part) => part.trim() !== '')

/** An address as it is copied from a letter or a page: `Ada <ada@example.org>`, `<ada@example.org>` or `mailto:ada@example.org?subject=Keel`. */
const COPIED = /^(?:[^<>@]*<)?(?:mailto:)?([^<>:\s]+@[^<>\s]+?)>?$/i

/** Marks that nobody sees, which address books put around an address. */
const UNSEEN = /\p{Cf}/gu
const WIDE = /[\uff01-\uff5e]/g

/** Returns an address without what was copied along: a name, a mark of punctuation behind it, and what input methods for wide scripts make of it. */
function copiedAddress(copied: string): string {
  const seen = copied
    .replaceAll(UNSEEN, '')
    .replaceAll(WIDE, (wide) => wide.normalize('NFKC'))
    .trim()
    .replace(/^(<?mailto:[^?]*)\?.*$/is, '$1')
    .replace(/(?<![.,;])[.,;]+$/, '')
  return COPIED.exec(seen)?.[1] ?? seen
}

/** Returns an address with its domain in ASCII. The rest stays as it was typed. */
export function normalEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return address.slice(0, at + 1) + asciiDomain(address.slice(at + 1))
}

/** The characters that end or change a host in a URL. */
const NOT_IN_DOMAIN = /[\s/?#@:\\%[\]<>^|]/

/** Returns a domain in ASCII (`xn--…`) as browsers convert it; one that is ASCII, or cannot be converted, unchanged. */
export function asciiDomain(domain: string): string {
  const isAscii = [...domain].every((character) => character <= '\u007f')
  if (isAscii || NOT_IN_DOMAIN.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain // no domain in any script
  }
}
