import { changeOutsideCode } from '#server/import/converting/texts.ts'

const CALLOUT = /^((?: {0,3}> ?)+)\[!([\w-]{1,30})\]([+-]?)[ \t]*(.*)$/
const BLOCK_ID = /(^|\s)\^([\w-]{1,60})$/
const COMMENT = /%%([^%\n]{1,2000})%%/g
/** A comment of several lines, with all that is in it: drawings have their data in one. */
const COMMENT_OF_LINES =
  /^%%[ \t]*\n[\s\S]*?(?:^%%[ \t]*$|(?![\s\S]))|(?<=^[^%`\n]{0,2000})%%[^%`\n]{0,2000}\n[^%`]{0,20000}%%/gm
/** The size of a picture is in its description, or is all of it. */
const SIZE = /(!\[(?:[^\]\n]{0,1000}\|)?)\d{1,5}(?:x\d{1,5})?(?=\]\()/g
const FOOTNOTE = /(?<!\\)\^\[((?:[^[\]\n]|\[[^[\]\n]{0,500}\]){1,2000})\]/g

/** The kinds of callouts here, with the kinds of Obsidian that mean the same. Others are notes. */
const KINDS: { [kind: string]: string[] } = {
  TIP: ['tip', 'hint', 'success', 'check', 'done'],
  IMPORTANT: ['important'],
  WARNING: ['warning', 'attention', 'question', 'help', 'faq'],
  CAUTION: ['caution', 'danger', 'error', 'failure', 'fail', 'missing', 'bug'],
}

/**
 * Writes what only Obsidian understands as Markdown that says the same: callouts with titles, comments, ids of blocks, sizes of pictures, and
 * footnotes within their sentence.
 */
export function fromObsidian(text: string): string {
  const notes: string[] = []
  const changed = changeOutsideCode(withoutComments(text), (line) =>
    lineOf(line).replaceAll(FOOTNOTE, (whole, note: string) => {
      if (line.includes('`')) return whole
      notes.push(note)
      return `[^inline-${notes.length}]`
    }),
  )
  if (notes.length === 0) return changed
  const definitions = notes.map((note, at) => `[^inline-${at + 1}]: ${note}`)
  return `${changed.trimEnd()}\n\n${definitions.join('\n\n')}\n`
}

/** Leaves a comment in code as it is. */
const withoutComments = (text: string) =>
  text.replaceAll(COMMENT_OF_LINES, (whole, at: number) => (isInCode(text.slice(0, at)) ? whole : ''))

const isInCode = (before: string) => (before.match(/^ {0,3}(?:`{3,}|~{3,})/gm)?.length ?? 0) % 2 === 1

function lineOf(line: string): string {
  const [, quote = '', written = '', fold, title = ''] = CALLOUT.exec(line) ?? []
  if (fold !== undefined) {
    const [kind = 'NOTE'] =
      Object.entries(KINDS).find(([, kinds]) => kinds.includes(written.toLowerCase())) ?? []
    return `${quote}[!${kind}]${title.trim() === '' ? '' : `\n${quote}**${title.trim()}**  `}`
  }
  if (line.includes('`')) return line
  return line
    .replaceAll(COMMENT, '<!--$1-->')
    .replace(BLOCK_ID, '$1<!-- ^$2 -->')
    .replaceAll(SIZE, (_whole, before: string) => before.replace(/\|$/, ''))
}
