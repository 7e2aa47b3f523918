import { codeBlocksOf } from '#web/composer/text/text-context.ts'

const bullet = /^( {0,12})(?:[•◦▪‣⁃●○∙]\s+|·\s{2,})(?=\S)/
const box = /^( {0,12})([☐☑☒])\uFE0F?\s+(?=\S)/

/** Makes lines that begin with a bullet or a box as a character items of a list: some programs copy no other lists. */
export function listWrittenItems(markdown: string): string {
  if (!/[•◦▪‣⁃●○∙·☐☑☒]/.test(markdown)) return markdown
  const code = codeBlocksOf(markdown)
  const written: string[] = []
  let at = 0
  let isAfterItem = false
  for (const line of markdown.split('\n')) {
    const from = at
    at += line.length + 1
    const isCode = code.some(({ start, end }) => from >= start && from < end)
    const item = isCode ? line : itemOf(line)
    const isItem = item !== line
    // Items in paragraphs of their own are one list; a line below an item is not its own.
    if (isItem && isAfterItem && written.at(-1) === '') written.pop()
    if (!isItem && isAfterItem && line.trim() !== '' && written.at(-1) !== '') written.push('')
    written.push(item)
    if (isItem || line.trim() !== '') isAfterItem = isItem
  }
  return written.join('\n')
}

const itemOf = (line: string) =>
  line
    .replace(box, (_all, indent: string, sign: string) => `${indent}- [${sign === '☐' ? ' ' : 'x'}] `)
    .replace(bullet, '$1- ')
