import type { ArchiveItem } from '#server/import/archive.ts'
import { replaceBlocks } from '#server/import/converting/blocks.ts'
import type { FrontMatter } from '#server/import/markdown/front-matter.ts'

type Page = { matter: FrontMatter; text: string; isBroken: boolean }

/** Divides a page into its properties and its text. */
export const splitPage = (whole: string, { path }: ArchiveItem): Page =>
  /\.html?$/i.test(path)
    ? splitHtml(whole)
    : splitMarkdown(withCallouts(whole.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')))

/** A callout is an element of HTML, with its sign on the first line. */
const withCallouts = (text: string) =>
  replaceBlocks(text, {
    open: /^<aside>$/gm,
    close: () => '\n</aside>',
    replace: (content) => content.trim().replaceAll(/^/gm, '> '),
  })

/** The properties that Milepost has too, by their usual names. Others stay in the text. */
const KNOWN: [RegExp, string][] = [
  [/^(?:date|datum|fecha|日付)$/i, 'date'],
  [/^(?:created|created time|created at|erstellt(?: am)?)$/i, 'created'],
  [/^(?:last edited time|last edited|updated|updated at|edited)$/i, 'updated'],
  [/^(?:tags?|labels?|categor(?:y|ies)|multi-select)$/i, 'tags'],
  [/^(?:created by|author)$/i, 'author'],
]
const PROPERTY = /^([^:\n]{1,60}): (.+)$/

/** The title is the first heading, and what follows it are the properties of a page of a database. */
function splitMarkdown(whole: string): Page {
  const [found, title = ''] = /^\s*# +(.*?)[ \t]*(?:\n+|$)/.exec(whole) ?? []
  if (found === undefined) return { matter: {}, text: whole, isBroken: false }
  const rest = whole.slice(found.length)
  const end = rest.search(/\n[ \t]*\n/)
  const lines = (end < 0 ? rest : rest.slice(0, end)).split('\n')
  const matter: FrontMatter = title === '' ? {} : { title }
  if (!lines.every((line) => PROPERTY.test(line))) return { matter, text: rest, isBroken: false }
  const kept = lines.filter((line) => {
    const [, name = '', value = ''] = PROPERTY.exec(line) ?? []
    return !taken(matter, name, value)
  })
  if (kept.length === lines.length) return { matter, text: rest, isBroken: false }
  const text = end < 0 ? '' : rest.slice(end).trimStart()
  return { matter, text: [kept.join('\n'), text].filter(Boolean).join('\n\n'), isBroken: false }
}

/** Takes a property over, if Milepost has it. */
function taken(matter: FrontMatter, name: string, value: string): boolean {
  const known = KNOWN.find(([pattern]) => pattern.test(name.trim()))?.[1]
  if (known === undefined || known in matter) return false
  // A span of time begins with its first day.
  matter[known] =
    known === 'date' || known === 'created' || known === 'updated'
      ? value.split('→')[0]?.replace('@', '').trim()
      : value
  return true
}

const CHECKBOX = /<div class="checkbox checkbox-(on|off)">\s*<\/div>/

/** Properties are in a table above the text, which begins with the title. */
function splitHtml(whole: string): Page {
  const matter: FrontMatter = {}
  const title = textOf(between(whole, '<title>', '</title>'))
  if (title !== '') matter.title = title
  const table = between(whole, '<table class="properties">', '</table>')
  const kept: string[] = []
  for (const row of table.split('<tr').slice(1)) {
    const [head = '', ...cells] = row.split('</th>')
    const name = textOf(head.slice(head.indexOf('<th')))
    const cell = cells.join('')
    const [, box] = CHECKBOX.exec(cell) ?? []
    const values = cell.includes('selected-value')
      ? cell
          .split('<span')
          .slice(1)
          .map((one) => textOf(`<span${one}`))
      : [box === undefined ? textOf(cell) : box === 'on' ? 'Yes' : 'No']
    const value = values.filter((one) => one !== '').join(', ')
    if (name === '' || value === '' || taken(matter, name, value)) continue
    kept.push(`<p>${escaped(`${name}: ${value}`)}</p>`)
  }
  const start = whole.indexOf('<div class="page-body">')
  const body = start < 0 ? whole : whole.slice(start)
  const text = body
    // A toggle is a list of its own.
    .replaceAll(/<ul\b[^<>]{0,300}\bclass="toggle"[^<>]{0,300}>\s*<li\b[^<>]{0,300}>(?=\s*<details)/g, '')
    .replaceAll(/<\/details>\s*<\/li>\s*<\/ul>/g, '</details>')
    .replaceAll(new RegExp(CHECKBOX, 'g'), (_whole, state: string) =>
      state === 'on' ? '<input type="checkbox" checked>' : '<input type="checkbox">',
    )
    .replaceAll(/<time>@/g, '<time>')
  return { matter, text: `${kept.join('')}${text}`, isBroken: false }
}

function between(whole: string, first: string, last: string): string {
  const start = whole.indexOf(first)
  const end = start < 0 ? -1 : whole.indexOf(last, start)
  return end < 0 ? '' : whole.slice(start + first.length, end)
}

const ENTITIES: { [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
}

const textOf = (html: string) =>
  html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_whole, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
