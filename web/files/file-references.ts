/** A reference to a file: `![alt](/files/{id} "caption")`, or `[name](/files/{id})` for a download. */
export type FileReference = {
  id: string
  from: number
  to: number
  isShown: boolean
  /** The alternative text, or the text of a link. */
  words: string
  caption: string
}

/** The target of a reference. Begins with a rare string and is bounded, so that matching is linear in the length of the text. */
export const fileTarget =
  /\]\(\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?: "((?:[^"\\\n]|\\.){0,2000})")?\)/gi
const WORDS_MAX = 2_000
let last: { text: string; references: readonly FileReference[] } = { text: '', references: [] }

/** Returns the references of a text, in order. Several parts of the composer need them after each key, so the last ones are kept. */
export function fileReferences(text: string): readonly FileReference[] {
  if (!text.includes('](/files/')) return []
  if (text !== last.text) last = { text, references: findReferences(text) }
  return last.references
}

function findReferences(text: string): FileReference[] {
  return [...text.matchAll(fileTarget)].flatMap((match) => {
    const open = openingBracket(text, match.index)
    if (open === undefined) return []
    const isShown = text[open - 1] === '!'
    const [whole, id = '', caption = ''] = match
    return {
      id: id.toLowerCase(),
      from: isShown ? open - 1 : open,
      to: match.index + whole.length,
      isShown,
      words: unescaped(text.slice(open + 1, match.index)),
      caption: unescaped(caption),
    }
  })
}

/** Returns the index of the opening bracket of a closing bracket, on the same line. */
function openingBracket(text: string, close: number): number | undefined {
  let depth = 0
  for (let at = close - 1; at >= Math.max(0, close - WORDS_MAX); at -= 1) {
    if (text[at] === '\n') return undefined
    if (isEscaped(text, at)) continue
    if (text[at] === ']') depth += 1
    else if (text[at] === '[') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return undefined
}

const isEscaped = (text: string, at: number) => text[at - 1] === '\\' && text[at - 2] !== '\\'

/** Returns the distinct ids of the files that a text refers to. */
export const referredIds = (text: string): string[] => [...new Set(fileReferences(text).map(({ id }) => id))]

const unescaped = (words: string) => words.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
