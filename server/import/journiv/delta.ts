import { isRecord, recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'

/** Returns the Markdown of a document of the Quill editor: a list of inserted texts, whose line breaks have the format of their line. */
export function textOfDelta(delta: UnknownRecord): string {
  const lines: string[] = []
  let line = ''
  let isCode = false
  let isList = false

  function endLine(format: UnknownRecord) {
    const code = format['code-block'] !== undefined && format['code-block'] !== false
    // A line after a list would belong to its last item.
    if (isList && format.list === undefined) lines.push('')
    isList = format.list !== undefined
    if (code !== isCode) lines.push(code ? `\`\`\`${languageOf(format['code-block'])}` : '```')
    isCode = code
    lines.push(code ? line : `${marksOf(format)}${line}${format.list === undefined ? '\n' : ''}`)
    line = ''
  }

  for (const { insert, attributes } of recordsIn(delta, 'ops')) {
    const format = isRecord(attributes) ? attributes : {}
    if (isRecord(insert)) {
      const address = textIn(insert, 'image', 'video', 'audio', 'gallery')
      if (insert.divider !== undefined) line += '---'
      if (address !== undefined) line += `![](${address})`
      continue
    }
    if (typeof insert !== 'string') continue
    const [first = '', ...others] = insert.split('\n')
    line += formatted(first, format)
    for (const next of others) {
      endLine(format)
      line = formatted(next, format)
    }
  }
  if (line !== '') endLine({})
  if (isCode) lines.push('```')
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const languageOf = (code: unknown) => (typeof code === 'string' && /^[\w+#.-]{1,50}$/.test(code) ? code : '')

function formatted(text: string, format: UnknownRecord): string {
  if (text.trim() === '') return text
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? []
  let shown = words
  if (format.code === true) shown = `\`${shown}\``
  if (format.underline === true) shown = `<u>${shown}</u>`
  if (format.strike === true) shown = `~~${shown}~~`
  if (format.italic === true) shown = `*${shown}*`
  if (format.bold === true) shown = `**${shown}**`
  if (typeof format.link === 'string') shown = `[${shown}](${format.link})`
  return `${before}${shown}${after}`
}

function marksOf({ header, list, blockquote, indent }: UnknownRecord): string {
  const inset = '    '.repeat(Math.min(Math.max(Number(indent ?? 0) || 0, 0), 8))
  if (typeof header === 'number' && header >= 1 && header <= 6) return `${'#'.repeat(header)} `
  if (list === 'ordered') return `${inset}1. `
  if (list === 'checked') return `${inset}- [x] `
  if (list === 'unchecked') return `${inset}- [ ] `
  if (list === 'bullet') return `${inset}- `
  return blockquote === true ? '> ' : ''
}
