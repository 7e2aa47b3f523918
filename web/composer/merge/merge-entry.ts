import type { Entry } from '#contract/entries.ts'
import { coverOf, type EntryChoices, type EntryText } from '#web/composer/drafts/entry-draft.ts'
import { isConflict, type Piece } from './merge-text.ts'

/** The fields that are merged as one value: the title, and the choices except for the milestone. */
type MergedValue = Exclude<keyof EntryText | keyof EntryChoices, 'content' | 'tags' | 'place'>

/** The merge of two people's versions of an entry: each field merged, or with conflicts to resolve. An empty text is the choice of no cover. */
export type EntryMerge = Record<MergedValue, Piece> & { content: Piece[]; tags: string[] }

/** The choice in a conflict of two texts; `both` is only for contents. */
export type Choice = 'mine' | 'theirs' | 'both'

type Versions = {
  /** The common base of both texts; null if it is unknown. */
  base: EntryText | null
  mine: EntryText
  theirs: Entry
  /** My choices besides the text, and the entry at that time. */
  chosen: EntryChoices
  original: Entry | undefined
}

/** Merges two people's versions of an entry whose contents are already merged. */
export function mergeEntry({ base, mine, theirs, chosen, original }: Versions, content: Piece[]): EntryMerge {
  const day = original?.happenedOn ?? null
  const cover = coverOf(original) ?? ''
  return {
    title: mergeValue(base && base.title, mine.title, theirs.title),
    content,
    tags: mergeTags(base?.tags ?? [], mine.tags, theirs.tags),
    day: mergeValue(day, chosen.day ?? day ?? theirs.happenedOn, theirs.happenedOn),
    coverFile: mergeValue(
      cover,
      chosen.coverFile === undefined ? cover : (chosen.coverFile ?? ''),
      coverOf(theirs) ?? '',
    ),
  }
}

function mergeValue(base: string | null, mine: string, theirs: string): Piece {
  if (mine === theirs || base === theirs) return { same: mine }
  if (base === mine) return { same: theirs }
  return { mine, theirs }
}

/** Merges tags as a set: it contains what either added, and not what either removed. */
function mergeTags(base: string[], mine: string[], theirs: string[]): string[] {
  const removed = base.filter((tag) => !mine.includes(tag))
  const added = mine.filter((tag) => !base.includes(tag) && !theirs.includes(tag))
  return [...theirs.filter((tag) => !removed.includes(tag)), ...added]
}

/** The number of conflicts of a merge. */
export function conflictsIn(merge: EntryMerge): number {
  const { content, tags: _, ...values } = merge
  return [...content, ...Object.values(values)].filter(isConflict).length
}

/** Returns a piece by its choice; both texts follow each other on separate lines. */
export function chosenOf(piece: Piece, choice: Choice): string {
  if (!isConflict(piece)) return piece.same
  if (choice !== 'both') return piece[choice]
  const { mine, theirs } = piece
  return mine === '' || theirs === '' || mine.endsWith('\n') ? mine + theirs : `${mine}\n${theirs}`
}

/** Returns the content with a choice for each of its conflicts, in their order; both texts by default. */
export function contentOf({ content }: EntryMerge, choices: readonly Choice[]): string {
  let index = -1
  let text = ''
  for (const piece of content) {
    if (isConflict(piece)) index += 1
    const part = chosenOf(piece, choices[index] ?? 'both')
    // The former last line had no line end, and is now followed by another line.
    const isBroken = text !== '' && !text.endsWith('\n') && part !== ''
    text += isBroken ? `\n${part}` : part
  }
  return text
}
