import { changeOutsideCode } from '#server/import/converting/texts.ts'

const CALLOUT = /^((?: {0,3}> ?)+)\[!([\w-]{1,30})\]([+-]?)[ \t]*(.*)$/
const BLOCK_ID = /(^|\s)\^([\w-]{1,60})$/
const COMMENT = /%%([^%\n]{1,2000})%%/g

/** The kinds of callouts here, with the kinds of Obsidian that mean the same. Others are notes. */
const KINDS: { [kind: string]: string[] } = {
  TIP: ['tip', 'hint', 'success', 'check', 'done'],
  IMPORTANT: ['important'],
  WARNING: ['warning', 'attention', 'question', 'help', 'faq'],
  CAUTION: ['caution', 'danger', 'error', 'failure', 'fail', 'missing', 'bug'],
}

/** Writes what only Obsidian understands as Markdown that says the same: callouts with titles, comments and ids of blocks. */
export const fromObsidian = (text: string): string => changeOutsideCode(text, lineOf)

function lineOf(line: string): string {
  const [, quote = '', written = '', fold, title = ''] = CALLOUT.exec(line) ?? []
  if (fold !== undefined) {
    const [kind = 'NOTE'] =
      Object.entries(KINDS).find(([, kinds]) => kinds.includes(written.toLowerCase())) ?? []
    return `${quote}[!${kind}]${title.trim() === '' ? '' : `\n${quote}**${title.trim()}**  `}`
  }
  if (line.includes('`')) return line
  return line.replaceAll(COMMENT, '<!--$1-->').replace(BLOCK_ID, '$1<!-- ^$2 -->')
}
