import { diffLines, diffWordsWithSpace } from 'diff'

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
  const changes = diffWordsWithSpace(before, after, options)
  if (!changes) return whole(before, after)
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
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
