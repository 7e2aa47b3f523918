import { diffArrays, diffLines } from 'diff'

/** A passage of two texts: in both, or only in the earlier or the later one. */
export type Piece = { kind: 'same' | 'added' | 'removed'; text: string }

/**
 * Compares two texts by lines, and changed lines by words. If that exceeds `msMax`, it compares only lines, or the texts
 * as a whole. The removed and the same passages are always the earlier text, the added and the same ones the later one.
 */
export function compare(before: string, after: string, msMax: number): Piece[] {
  const until = Date.now() + msMax
  const timeLeft = () => ({ timeout: Math.max(1, until - Date.now()) })
  const byLines = diffLines(before, after, timeLeft())
  if (!byLines) return whole(before, after)
  const pieces: Piece[] = []
  let removed = ''
  for (const { value, added, removed: isRemoved } of byLines) {
    if (isRemoved) removed += value
    else if (added) {
      pieces.push(...byWords(removed, value, timeLeft()))
      removed = ''
    } else {
      if (removed) pieces.push({ kind: 'removed', text: removed })
      removed = ''
      pieces.push({ kind: 'same', text: value })
    }
  }
  if (removed) pieces.push({ kind: 'removed', text: removed })
  return joined(pieces)
}

/** The result for texts that were not compared. */
export function whole(before: string, after: string): Piece[] {
  if (before === after) return before ? [{ kind: 'same', text: before }] : []
  const pieces: Piece[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return pieces.filter(({ text }) => text !== '')
}

function byWords(before: string, after: string, options: { timeout: number }): Piece[] {
  if (before === '') return [{ kind: 'added', text: after }]
  const changes = diffArrays(tokensOf(before), tokensOf(after), options)
  if (!changes) return whole(before, after)
  return bySentence(
    changes.flatMap(({ value, added, removed }) =>
      value.map((text) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text }) as const),
    ),
  )
}

/**
 * Picture, link to a file, word, space, flag, or another character as people see it, with what joins it: emoji, their colors, and
 * letters that Thai, Khmer and Burmese stack; in scripts without spaces between words each character is a token.
 */
const TOKEN =
  /!?\[(?:\\.|[^\\\]\n]){0,300}\]\(\/files\/[\w-]{1,100}(?: "(?:\\.|[^"\\\n]){0,500}")?\)|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{N}_\u200C\u200D])+|\s+|\p{Regional_Indicator}{2}|[^\s\p{M}](?:[\u17D2\u1039]\p{L}|[\p{M}\u0E33\u0EB3\u200C\p{Emoji_Modifier}\u{E0020}-\u{E007F}]|\u200D[^\s\p{M}]?)*|\p{M}+/gu

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? []

const SENTENCE_END = /[.!?…][\p{Pe}\p{Pf}"']?$/u

/** Shows each sentence of which most changed as one removal and one insertion, instead of word by word. */
function bySentence(tokens: Piece[]): Piece[] {
  const pieces: Piece[] = []
  let sentence: Piece[] = []
  let before = ''
  for (const token of tokens) {
    sentence.push(token)
    const { kind, text } = token
    const isEnd = /[\n。！？]/u.test(text) || (/^\s/u.test(text) && SENTENCE_END.test(before))
    before = (before + text).slice(-2)
    if (kind !== 'same' || !isEnd) continue
    pieces.push(...calmed(sentence))
    sentence = []
  }
  return [...pieces, ...calmed(sentence)]
}

function calmed(sentence: Piece[]): Piece[] {
  const lengthOf = (kind: Piece['kind']) =>
    sentence.reduce((sum, piece) => sum + (piece.kind === kind ? piece.text.trim().length : 0), 0)
  const isChange = ({ kind }: Piece) => kind !== 'same'
  const isMostlySame = lengthOf('same') >= Math.max(lengthOf('added'), lengthOf('removed'))
  const first = sentence.findIndex(isChange)
  if (isMostlySame || first === -1) return sentence
  const last = sentence.findLastIndex(isChange)
  const changed = sentence.slice(first, last + 1)
  const textOf = (without: Piece['kind']) =>
    changed.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join('')
  return [
    ...sentence.slice(0, first),
    ...whole(textOf('added'), textOf('removed')),
    ...sentence.slice(last + 1),
  ]
}

/** Joins adjacent passages of one kind. */
function joined(pieces: Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last?.kind === piece.kind) all[all.length - 1] = { ...last, text: last.text + piece.text }
    else all.push(piece)
  }
  return all
}
