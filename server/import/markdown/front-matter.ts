import { parse } from 'yaml'
import { isRecord } from '#server/import/converting/records.ts'
import { parseToml } from './toml.ts'

export type FrontMatter = { [name: string]: unknown }

/** Longer ones are texts that begin with a line. */
const MATTER_MAX = 64_000
/** YAML may end with dots, too. */
const FENCED = /^(?:(---)[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)|(\+\+\+)[ \t]*\n([\s\S]*?)\n\+\+\+)[ \t]*(?:\n|$)/

/** Divides a document into its front matter (YAML, TOML or JSON) and its text. `isBroken`: there is one that cannot be read, and it stays in the text. */
export function splitFrontMatter(document: string): { matter: FrontMatter; text: string; isBroken: boolean } {
  const whole = document.replace(/^\uFEFF+/, '').replaceAll(/\r\n?/g, '\n')
  const plain = { matter: {}, text: whole, isBroken: false }
  const head = whole.slice(0, MATTER_MAX)
  if (head.startsWith('{')) return splitJson(whole, head) ?? plain
  const found = FENCED.exec(head) ?? EMPTY.exec(head)
  if (!found) return plain
  const [all, , yaml, , toml] = found
  try {
    const matter = toml === undefined ? readYaml(yaml ?? '') : parseToml(toml)
    if (matter === null || matter === undefined) return { ...plain, text: whole.slice(all.length) }
    // Two lines with text between them are no front matter.
    if (!isRecord(matter)) return plain
    return { matter: lowered(matter), text: whole.slice(all.length), isBroken: false }
  } catch {
    return { ...plain, isBroken: true }
  }
}

const EMPTY = /^(---|\+\+\+)[ \t]*\n\1[ \t]*(?:\n|$)/

/** Aliases are few, so that they do not multiply. With `silent`, errors would be no exceptions. */
const OPTIONS = { maxAliasCount: 20, uniqueKeys: false, logLevel: 'error' as const }

/** Reads YAML, also as people write it who do not know its rules: with tabs, and with values that have to be in quotes. */
function readYaml(text: string): unknown {
  const hashed = text.replaceAll(HASHES, '$1"$2"')
  const spaced = hashed.replaceAll('\t', '  ')
  for (const written of [hashed, spaced]) {
    try {
      return parse(written, OPTIONS)
    } catch {
      // The next way.
    }
  }
  return parse(spaced.replaceAll(PLAIN, quoted), OPTIONS)
}

/** Tags as they are written in a text, which YAML takes for a comment. */
const HASHES = /^( *(?:tags?|keywords) *: +)(#[^\s"'#][^\n"]{0,1000})$/gim

/** A line with a value that has no quotes or brackets, and is no reference. */
const PLAIN = /^( *(?:- +)?(?:[\p{L}_][\p{L}\p{M}\p{N}_.-]{0,80}: +)?)([^\s"'[{|>&*!-].*|-\S.*)$/gmu

function quoted(line: string, before: string, value: string): string {
  return before === '' || /:\s*$/.test(value) ? line : before + JSON.stringify(value.trimEnd())
}

function splitJson(whole: string, head: string) {
  const end = head.indexOf('\n}')
  if (end < 0) return null
  try {
    const matter: unknown = JSON.parse(head.slice(0, end + 2))
    return isRecord(matter) ? { matter: lowered(matter), text: whole.slice(end + 2), isBroken: false } : null
  } catch {
    return null
  }
}

const lowered = (matter: FrontMatter): FrontMatter =>
  Object.fromEntries(Object.entries(matter).map(([name, value]) => [name.toLowerCase(), value]))
