import type { MarkdownIt, StateBlock } from 'markdown-it'

/** What ends the front matter that begins with a line, and the pattern of its fields. */
const fences = new Map([
  [
    '---',
    {
      language: 'yaml',
      closing: ['---', '...'],
      field: /^["']?[\p{L}_][\p{L}\p{M}\p{N}_. -]{0,80}["']?:(?:\s|$)/u,
    },
  ],
  [
    '+++',
    { language: 'toml', closing: ['+++'], field: /^(?:\[[^\]]{1,200}\]|["']?[\w.-]{1,80}["']?\s{0,80}=)/ },
  ],
])
/** A line that may stand between fields: a comment, an element of a list, a continued value, or an empty one. */
const between = /^(?:#|\s|-\s|[\]}]|$)/

const LINES_MAX = 200

export type FrontMatter = {
  language: string
  /** Whether a line may be the first one of the front matter. */
  isField: (line: string) => boolean
  /** Whether a line may be another one; `end` closes the front matter. */
  isLine: (line: string) => boolean | 'end'
}

/** Returns what the first line of a text begins: front matter, as other programs write it, or undefined. */
export function frontMatterAfter(opening: string): FrontMatter | undefined {
  const fence = fences.get(opening.trimEnd())
  if (!fence) return undefined
  const { language, closing, field } = fence
  return {
    language,
    isField: (line) => field.test(line),
    isLine: (line) => (closing.includes(line.trimEnd()) ? 'end' : field.test(line) || between.test(line)),
  }
}

/** Returns the front matter at the head of a text. Lines that are not fields are an ordinary text below a divider. */
function frontMatterOf(
  line: (index: number) => string | undefined,
): { lines: number; language: string } | undefined {
  const found = frontMatterAfter(line(0) ?? '')
  if (!found?.isField(line(1) ?? '')) return undefined
  for (let index = 2; index < LINES_MAX; index++) {
    const written = line(index)
    const fits = written !== undefined && found.isLine(written)
    if (fits === 'end') return { lines: index + 1, language: found.language }
    if (!fits) return undefined
  }
  return undefined
}

/** Shows front matter as code: nothing that was written is hidden, and its last field does not become a heading. */
export function frontMatter(md: MarkdownIt): void {
  md.block.ruler.before('table', 'front_matter', (state: StateBlock, startLine, endLine, silent) => {
    if (startLine !== 0 || state.level !== 0 || silent) return false
    const found = frontMatterOf((index) =>
      index < endLine ? state.src.slice(state.bMarks[index], state.eMarks[index]) : undefined,
    )
    if (!found) return false
    state.line = found.lines
    const token = state.push('fence', 'code', 0)
    token.info = found.language
    token.markup = '---'
    token.map = [0, found.lines]
    token.content = state.getLines(1, found.lines - 1, 0, true)
    return true
  })
}
