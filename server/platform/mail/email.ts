import { isolateBidi, isStorable, withEllipsis } from '#contract/parts/characters.ts'
import { LIGHT } from '#contract/parts/colours.ts'

/** The content of an email as plain text, without markup. */
export type EmailText = {
  title: string
  /** The paragraphs above the button. */
  opening: string[]
  action: { label: string; url: string }
  /** The paragraphs below it. */
  closing: string[]
}

/** The text and HTML parts of one email. */
export function composeEmail({ title, opening, action, closing }: EmailText): {
  text: string
  html: string
} {
  return {
    text: `${[title, ...opening, `${action.label}:\n${action.url}`, ...closing].join('\n\n')}\n`,
    html: page(title, [
      ...opening.map(paragraph),
      `<p style="margin:24px 0"><a href="${escaped(action.url)}" style="${BUTTON}">${escaped(action.label)}</a></p>`,
      ...closing.map(paragraph),
    ]),
  }
}

const BUTTON = `display:inline-block;padding:12px 20px;border-radius:6px;background:${LIGHT.accent};color:#fff;font-weight:600;text-decoration:none`
const BODY =
  'overflow-wrap:anywhere;margin:0 auto;max-width:560px;padding:24px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif'

function page(title: string, parts: string[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title></head>
<body style="${escaped(BODY)}">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">${escaped(title)}</h1>
${parts.join('\n')}
</body>
</html>
`
}

/** URLs are links, because not every mail program makes them of text in HTML; in what users wrote there are none (`harmless`). */
const paragraph = (text: string) =>
  `<p style="margin:0 0 12px">${escaped(text).replaceAll(/https?:\/\/[^\s<]+/g, '<a href="$&">$&</a>')}</p>`

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The maximum number of characters of a title or a name in an email. */
const QUOTED_MAX = 80

/**
 * Returns user input for a sentence of an email: short, on one line, in its own direction alone, and without anything that a mail program
 * turns into a link.
 */
export const harmless = (text: string, max = QUOTED_MAX): string =>
  isolateBidi(shortLine(text.replaceAll(/\p{Bidi_Control}/gu, ''), max))

/** Like `harmless`, for a sentence in which user input is isolated already. */
export const harmlessSentence = (text: string, max: number): string => shortLine(text, max)

function shortLine(text: string, max: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return withEllipsis(line, max).replaceAll(/[.:/@](?=\S)/g, '$&\u200b')
}

export type MailAddress = { name: string; address: string }

/** Returns whether a text is a single bare email address that cannot be parsed as several addresses or as a header. */
export function isBareAddress(text: string): boolean {
  return /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(text) && isStorable(text)
}

/** Returns whether a text has no character that could end a header. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text) && isStorable(text)
}

/** Parses `mail@example.org` or `A name <mail@example.org>`; returns null for any other text. */
export function readMailAddress(text: string): MailAddress | null {
  const [, name = '', address = text] = /^([^<]*)<(.*)>$/.exec(text) ?? []
  // A name with a comma is in quotes, which are no part of it.
  const shown = name
    .trim()
    .replace(/^"(.*)"$/, (_quoted, inside: string) => inside.replaceAll(/\\(.)/g, '$1'))
  return isBareAddress(address) && isOneLine(name) ? { name: shown, address } : null
}

/**
 * Returns the probable mailbox of an email address: many providers ignore case, dots and the part after a plus.
 * If a provider distinguishes them, several people share a rate limit, and may miss an email.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const name = email.slice(0, at).replace(/\+.*/s, '').replaceAll('.', '')
  return (name + email.slice(at)).toLowerCase()
}
