import { isPicture } from '#server/import/converting/documents.ts'
import { changeOutsideCode } from '#server/import/converting/texts.ts'

/** Between these a text has something of Hugo or Jekyll. */
const TEMPLATE = /\{\{|\{%|\{:/

/** Attributes of a shortcode: `name="value"`. */
const ATTRIBUTES = /\b([\w-]{1,30})\s*=\s*(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})')/g
const SHORTCODE =
  /\{\{[<%]-?\s*(figure|ref|relref|youtube|vimeo|img|gist|tweet|x|instagram)\s([^{}\n]{1,2000}?)\/?\s*-?[>%]\}\}/g
const INCLUDE = /\{%-?\s*include\s+[\w./-]{1,100}\s([^{}\n]{1,2000}?)-?%\}/g
const LEADS_TO = /\{%-?\s*(?:post_url|link)\s+([^\s{}%]{1,500})\s*-?%\}/g
const FILTERED = /\{\{-?\s*(?:"([^"{}\n]{1,1000})"|'([^'{}\n]{1,1000})')\s*\|[^{}\n]{1,200}\}\}/g
const OF_SITE = /\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}/g
const BEGIN_CODE =
  /^\s*(?:\{%-?\s*highlight\s+([\w+#-]{1,30})[^%\n]{0,200}%\}|\{\{[<%]\s*highlight\s+"?([\w+#-]{1,30})"?[^{}\n]{0,200}[>%]\}\})\s*$/
const END_CODE = /^\s*(?:\{%-?\s*endhighlight\s*-?%\}|\{\{[<%]\s*\/\s*highlight\s*[>%]\}\})\s*$/
const RAW = /\{%-?\s*(?:end)?raw\s*-?%\}/g
/** Where Jekyll puts a table of contents. */
const CONTENTS = /^[*+-] .{0,60}\n\{:\s*toc[^{}\n]{0,100}\}[ \t]*$/gim
const KRAMDOWN = /\{:[^{}\n]{0,300}\}/g

/**
 * Writes what only Hugo and Jekyll understand as Markdown that says the same: figures, films, links to other texts, addresses of the site and
 * code. Other templates stay as they are, and so does code.
 */
export const fromTemplates = (text: string): string =>
  TEMPLATE.test(text)
    ? changeOutsideCode(changeOutsideCode(text.replaceAll(CONTENTS, ''), fenceOf), lineOf)
    : text

function fenceOf(line: string): string {
  const [begins, liquid, shortcode] = BEGIN_CODE.exec(line) ?? []
  if (begins !== undefined) return `\`\`\`${liquid ?? shortcode ?? ''}`
  return END_CODE.test(line) ? '```' : line
}

function lineOf(line: string): string {
  if (!TEMPLATE.test(line)) return line
  return line
    .replaceAll(RAW, '')
    .replaceAll(OF_SITE, '')
    .replaceAll(FILTERED, (_whole, double?: string, single?: string) => double ?? single ?? '')
    .replaceAll(LEADS_TO, (_whole, target: string) => target)
    .replaceAll(SHORTCODE, (whole, name: string, rest: string) => shortcodeOf(name, rest) ?? whole)
    .replaceAll(INCLUDE, (whole, rest: string) => pictureOf(attributesOf(rest)) ?? whole)
    .replaceAll(KRAMDOWN, '')
}

const attributesOf = (text: string) =>
  new Map(
    Array.from(text.matchAll(ATTRIBUTES), ([, name = '', double, single]) => [name, double ?? single ?? '']),
  )

function shortcodeOf(name: string, rest: string): string | undefined {
  const attributes = attributesOf(rest)
  if (name === 'figure' || name === 'img') return pictureOf(attributes)
  const [first = ''] = rest.trim().split(/\s/)
  const target = attributes.get('path') ?? attributes.get('id') ?? first.replaceAll(/^["']|["']$/g, '')
  if (target === '') return undefined
  if (name === 'youtube') return `<https://www.youtube.com/watch?v=${encodeURIComponent(target)}>`
  if (name === 'vimeo') return `<https://vimeo.com/${encodeURIComponent(target)}>`
  if (name === 'ref' || name === 'relref') return target.replaceAll(' ', '%20')
  return addressOf(name, attributes, rest)
}

/** The address of what a shortcode shows of another website; undefined if it does not tell it. */
function addressOf(name: string, attributes: ReadonlyMap<string, string>, rest: string): string | undefined {
  const [first = '', second = ''] = rest
    .trim()
    .split(/\s+/)
    .map((word) => encodeURIComponent(word.replaceAll(/^["']|["']$/g, '')))
  const user = attributes.get('user')
  const id = attributes.get('id')
  if (name === 'gist') return second === '' ? undefined : `<https://gist.github.com/${first}/${second}>`
  if (name === 'instagram') return `<https://www.instagram.com/p/${first}/>`
  if (user === undefined || id === undefined) return undefined
  return `<https://x.com/${encodeURIComponent(user)}/status/${encodeURIComponent(id)}>`
}

/** The picture of a figure, whatever its theme calls it, with what is written below it. */
function pictureOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const address = attributes.get('src') ?? [...attributes.values()].find((value) => isPicture(value))
  if (address === undefined || address.trim() === '') return undefined
  const words = ['caption', 'title', 'alt', 'description']
    .map((name) => attributes.get(name))
    .find((text) => text)
  return `![${(words ?? '').replaceAll(/[[\]]/g, '')}](<${address.replaceAll(/[<>]/g, '')}>)`
}
