import type { Entry } from '#contract/entries.ts'
import type { EntryChoices, EntryText } from '#web/entries/editor/entry-draft.ts'
import { isConflict, type Piece } from './merge-text.ts'

/** What two people made of an entry at once: each part merged, or with conflicts to be decided. */
export type EntryMerge = {
  title: Piece
  content: Piece[]
  tags: string[]
  /** The day, and the file that is the cover or nothing. */
  day: Piece
  cover: Piece
}

/** What is chosen where two texts conflict; `both` is for contents. */
export type Choice = 'mine' | 'theirs' | 'both'

type Versions = {
  /** What both texts were made from; null where that is not known. */
  base: EntryText | null
  mine: EntryText
  theirs: Entry
  /** What I chose besides the text, and the entry as it was then. */
  chosen: EntryChoices
  original: Entry | undefined
}

/** Merges what two people made of an entry, of which the content is merged already. */
export function mergeEntry({ base, mine, theirs, chosen, original }: Versions, content: Piece[]): EntryMerge {
  const day = original?.happenedOn ?? null
  const cover = original?.coverFile ?? ''
  return {
    title: mergeValue(base && base.title, mine.title, theirs.title),
    content,
    tags: mergeTags(base?.tags ?? [], mine.tags, theirs.tags),
    day: mergeValue(day, chosen.day ?? day ?? theirs.happenedOn, theirs.happenedOn),
    cover: mergeValue(
      cover,
      chosen.coverFile === undefined ? cover : (chosen.coverFile ?? ''),
      theirs.coverFile ?? '',
    ),
  }
}

function mergeValue(base: string | null, mine: string, theirs: string): Piece {
  if (mine === theirs || base === theirs) return { same: mine }
  if (base === mine) return { same: theirs }
  return { mine, theirs }
}

/** Tags are a set: what either added is in it, and what either removed is not. */
function mergeTags(base: string[], mine: string[], theirs: string[]): string[] {
  const removed = base.filter((tag) => !mine.includes(tag))
  const added = mine.filter((tag) => !base.includes(tag) && !theirs.includes(tag))
  return [...theirs.filter((tag) => !removed.includes(tag)), ...added]
}

/** How many decisions a merge asks for. */
export function conflictsIn({ title, content, day, cover }: EntryMerge): number {
  return [title, ...content, day, cover].filter(isConflict).length
}

/** Returns a piece as it was chosen; of two texts one after the other, each on lines of its own. */
export function chosenOf(piece: Piece, choice: Choice): string {
  if (!isConflict(piece)) return piece.same
  if (choice !== 'both') return piece[choice]
  const { mine, theirs } = piece
  return mine === '' || theirs === '' || mine.endsWith('\n') ? mine + theirs : `${mine}\n${theirs}`
}

/** Returns the content with a choice for each of its conflicts, in their order; both where nothing was chosen. */
export function contentOf({ content }: EntryMerge, choices: readonly Choice[]): string {
  let index = -1
  let text = ''
  for (const piece of content) {
    if (isConflict(piece)) index += 1
    const part = chosenOf(piece, choices[index] ?? 'both')
    // What had no end of line, as it was the last one, is followed by something now.
    const isBroken = text !== '' && !text.endsWith('\n') && part !== ''
    text += isBroken ? `\n${part}` : part
  }
  return text
}
