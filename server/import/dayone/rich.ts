import { isRecord, recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'

type Line = { text: string; format: UnknownRecord }

/** Returns the text of an entry that has it with its format alone, as the app for the web writes it. */
export function textOfRich(rich: string | undefined): string {
  if (rich === undefined) return ''
  let read: unknown
  try {
    read = JSON.parse(rich)
  } catch {
    return '' // The entry comes with its pictures.
  }
  return isRecord(read) ? textOfLines(linesOf(recordsIn(read, 'contents'))) : ''
}

/** The lines of parts that have a format each; a line has that of its first part. */
function linesOf(parts: UnknownRecord[]): Line[] {
  const lines: Line[] = [{ text: '', format: {} }]
  for (const part of parts) {
    const attributes = isRecord(part.attributes) ? part.attributes : {}
    const format = isRecord(attributes.line) ? attributes.line : {}
    const words = typeof part.text === 'string' ? part.text.split('\n') : []
    for (const [at, word] of words.entries()) {
      if (at > 0) lines.push({ text: '', format: {} })
      const line = lines.at(-1)
      if (!line) continue
      if (line.text === '') line.format = format
      line.text += format.codeBlock === true ? word : marked(word, attributes)
    }
    for (const one of recordsIn(part, 'embeddedObjects'))
      lines.push(
        { text: `![](dayone-moment://${textIn(one, 'identifier') ?? ''})`, format: {} },
        { text: '', format: {} },
      )
  }
  return lines
}

function textOfLines(lines: Line[]): string {
  let isCode = false
  let before = ''
  return lines
    .flatMap(({ text, format }, at) => {
      const fence = (format.codeBlock === true) === isCode ? [] : ['```']
      isCode = format.codeBlock === true
      // A line after a list or a quote would belong to it.
      const kind = kindOf(format)
      const gap = before !== '' && kind !== before && text !== '' ? [''] : []
      before = kind
      const ends = isCode && at === lines.length - 1 ? ['```'] : []
      return [...gap, ...fence, text === '' ? '' : `${marksOf(format)}${text}`, ...ends]
    })
    .join('\n')
    .trim()
}

const kindOf = ({ listStyle, quote }: UnknownRecord) =>
  typeof listStyle === 'string' ? 'list' : quote === true ? 'quote' : ''

const MARKS: [name: string, mark: string][] = [
  ['bold', '**'],
  ['italic', '*'],
  ['strikethrough', '~~'],
  ['highlightedColor', '=='],
  ['inlineCode', '`'],
]

/** Marks hold only where no space is between them and the words. */
function marked(text: string, attributes: UnknownRecord): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? []
  if (words === '') return text
  const marks = MARKS.filter(([name]) => Boolean(attributes[name])).map(([, mark]) => mark)
  const shown = `${marks.join('')}${words}${marks.toReversed().join('')}`
  const address = textIn(attributes, 'linkURL')
  return `${before}${address === undefined ? shown : `[${shown}](<${address.replaceAll(/[<>\n]/g, '')}>)`}${after}`
}

function marksOf(line: UnknownRecord): string {
  const header = Number(line.header ?? 0)
  if (header > 0 && header <= 6) return `${'#'.repeat(header)} `
  const inset = '    '.repeat(Math.min(Math.max(Number(line.indentLevel ?? 1) - 1 || 0, 0), 8))
  if (line.listStyle === 'bulleted') return `${inset}- `
  if (line.listStyle === 'numbered') return `${inset}1. `
  if (line.listStyle === 'checkbox') return `${inset}- [${line.checked === true ? 'x' : ' '}] `
  return line.quote === true ? '> ' : ''
}
