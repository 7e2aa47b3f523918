const READ = 2_000
const LENGTH = 280

/** What is no prose: tables, code, headings, rules, where links lead, and notes. */
const asides: RegExp[] = [
  /^(`{3,}|~{3,})[^]*?(?:\n\1[^\n]*$|(?![^]))/gm,
  /^[ \t]*\|[^\n]*$/gm,
  /^ {0,3}#{1,6}[ \t][^\n]*$/gm,
  /^[ \t]*(?:[-*_][ \t]*){3,}$/gm,
  /^ {0,3}\[[^\]\n]+\]:[ \t]+\S[^\n]*$/gm,
]

const marks: [RegExp, string][] = [
  [/\[\^[^\]\s]+\]/g, ''],
  [/!\[([^\]\n]*)\]\([^)\n]*\)/g, '$1'],
  [/\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])/g, '$1'],
  [/^(?:[ \t]*(?:>|#{1,6}(?=\s)|[-*+](?=\s)|\d{1,9}[.)](?=\s)|`{3,}[^\n]*|~{3,}[^\n]*))+[ \t]*/gm, ''],
  [/^\[[ xX]\](?=\s)/gm, ''],
  [/(?<!\\)(\*\*|__|~~)(?=\S)([^\n]*?\S)\1/g, '$2'],
  [/(?<![\w*_\\])([*_])(?=\S)([^\n*_]*?\S)\1(?![\w*_])/g, '$2'],
  [/`+([^`\n]+)`+/g, '$1'],
  [/^[\s|:-]*-{3,}[\s|:-]*$/gm, ''],
  [/\|/g, ' '],
  [/\\(?=[!-/:-@[-`{-~])/g, ''],
  [/\s+/g, ' '],
]

const plain = (text: string) => marks.reduce((rest, [mark, word]) => rest.replace(mark, word), text).trim()

/**
 * The beginning of a Markdown text in plain words, for a card: its prose, or else whatever there is. It needs no
 * parser, and so is only nearly exact.
 */
export function excerpt(content: string): string {
  const beginning = content.slice(0, READ)
  const prose = asides.reduce((rest, aside) => rest.replace(aside, ''), beginning)
  return shortened(plain(prose) || plain(beginning))
}

function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= LENGTH) return text
  const cut = characters.slice(0, LENGTH).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > 0 ? cut.slice(0, lastSpace) : cut}…`
}
