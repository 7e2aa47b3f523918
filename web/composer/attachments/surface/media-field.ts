import { type ChangeSet, type EditorState, RangeSet, StateField, type Transaction } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, type WidgetType } from '@codemirror/view'
import { sourceLines } from '#web/composer/text/source-lines.ts'
import { heldPlaces, hold, letGo } from './held-places.ts'
import { type MediaBlock, mediaBlocks } from './media-blocks.ts'

/** A block with a key that stays the same while it is edited, so that its element stays too. */
export type KeyedBlock = MediaBlock & { key: number; isSource: boolean }

/** What an element of the editor shows. */
export type WidgetTarget = { block: number } | { arrival: number }

type Media = {
  blocks: readonly KeyedBlock[]
  /** The same blocks as they were when one of them changed last: typing elsewhere only moves them. */
  settled: readonly KeyedBlock[]
  lastKey: number
  decorations: DecorationSet
  /** The lines of the text that an element replaces. */
  hidden: RangeSet<Decoration>
}

/** The Markdown of a reference, beside the element that shows the file. */
const quiet = Decoration.mark({ class: 'file-reference' })

/** Returns a field of the files of the text, whose blocks `widgetOf` draws. */
export function createMediaField(widgetOf: (target: WidgetTarget) => WidgetType): StateField<Media> {
  return StateField.define<Media>({
    create(state) {
      const found = keyed(mediaBlocks(state.doc.toString()), [], 0)
      return drawn(state, withSource(state, found), widgetOf)
    },
    update(media, transaction) {
      const { docChanged, effects, state, startState } = transaction
      const isHeld = effects.some((effect) => effect.is(hold) || effect.is(letGo))
      const isElsewhere = state.field(sourceLines) !== startState.field(sourceLines)
      if (!docChanged && !isHeld && !isElsewhere) return media
      const moved = docChanged ? movedBy(transaction.changes, media) : media
      const isSame = !isHeld && (!docChanged || isAmongWords(transaction))
      const found = isSame ? moved : foundAgain(state, moved)
      const next = withSource(state, found)
      return isSame && next === found ? moved : drawn(state, next, widgetOf)
    },
    provide: (field) => [
      EditorView.decorations.from(field, ({ decorations }) => decorations),
      EditorView.atomicRanges.of((view) => view.state.field(field).hidden),
    ],
  })
}

function drawn(
  state: EditorState,
  { blocks, lastKey }: Found,
  widgetOf: (target: WidgetTarget) => WidgetType,
): Media {
  const below = (at: number, target: WidgetTarget) =>
    Decoration.widget({ widget: widgetOf(target), block: true, side: 1 }).range(at)
  const isHidden = ({ kind, isSource }: KeyedBlock) => kind !== 'inline' && !isSource
  const hidden = blocks
    .filter(isHidden)
    .map(({ key, from, to }) =>
      Decoration.replace({ widget: widgetOf({ block: key }), block: true }).range(from, to),
    )
  const shown = blocks
    .filter((block) => !isHidden(block))
    .flatMap(({ key, to, items }) => [
      ...items.map((item) => quiet.range(item.from, item.to)),
      below(to, { block: key }),
    ])
  const arrivals = [...state.field(heldPlaces)].map(([arrival, at]) => {
    const around = blocks.find(({ from, to }) => from <= at && at <= to)
    return below(around?.to ?? state.doc.lineAt(at).to, { arrival })
  })
  return {
    blocks,
    settled: blocks,
    lastKey,
    decorations: Decoration.set([...hidden, ...shown, ...arrivals], true),
    hidden: RangeSet.of(hidden, true),
  }
}

type Found = Pick<Media, 'blocks' | 'lastKey'>

/** Moves the blocks and what is drawn by a change. */
function movedBy(changes: ChangeSet, media: Media): Media {
  const blocks = media.blocks.map((block) => ({
    ...block,
    from: changes.mapPos(block.from, -1),
    to: changes.mapPos(block.to, 1),
    items: block.items.map((item) => ({
      ...item,
      from: changes.mapPos(item.from, 1),
      to: changes.mapPos(item.to, -1),
    })),
  }))
  const { decorations, hidden } = media
  return { ...media, blocks, decorations: decorations.map(changes), hidden: hidden.map(changes) }
}

/** Finds the blocks again after a change that may have made or ended some. */
const foundAgain = (state: EditorState, { blocks, lastKey }: Found): Found =>
  keyed(mediaBlocks(state.doc.toString()), blocks, lastKey)

/** Whether all changes are within lines without references and marks of code. */
function isAmongWords({ changes, startState, state }: Transaction): boolean {
  let isOnlyWords = true
  changes.iterChanges((fromA, toA, fromB, toB) => {
    const [before, after] = [startState.doc.lineAt(fromA), state.doc.lineAt(fromB)]
    isOnlyWords &&=
      toA <= before.to && toB <= after.to && !/[`~]|\]\(\/files\//i.test(`${before.text} ${after.text}`)
  })
  return isOnlyWords
}

/** Gives each block the key of the one that was there before. Both lists are in the order of the text. */
function keyed(found: readonly MediaBlock[], before: readonly KeyedBlock[], lastKey: number): Found {
  let last = lastKey
  let at = 0
  const blocks = found.map((block): KeyedBlock => {
    while ((before[at]?.to ?? Number.POSITIVE_INFINITY) < block.from) at++
    const ids = new Set(block.items.map(({ id }) => id))
    let same = before[at]
    for (let index = at; (before[index]?.from ?? Number.POSITIVE_INFINITY) <= block.to; index++) {
      if (!before[index]?.items.some(({ id }) => ids.has(id))) continue
      same = before[index]
      at = index
      break
    }
    if (same && same.from > block.to) same = undefined
    if (same) at++
    else last += 1
    return { ...block, key: same?.key ?? last, isSource: same?.isSource ?? false }
  })
  return { blocks, lastKey: last }
}

/** Shows the Markdown of the block with the caret; while a mouse button is held down, of the same one as before. */
function withSource(state: EditorState, found: Found): Found {
  const { isFocused, isPressed } = state.field(sourceLines)
  if (isPressed) return found
  let isSame = true
  const blocks = found.blocks.map((block) => {
    const isSource = isFocused && state.selection.ranges.some((range) => isWithin(range, block))
    if (isSource === block.isSource) return block
    isSame = false
    return { ...block, isSource }
  })
  return isSame ? found : { ...found, blocks }
}

/** Whether the caret, or an end of a selection, is in a block. A selection around it is not. */
function isWithin({ from, to, empty }: { from: number; to: number; empty: boolean }, block: MediaBlock) {
  if (empty) return from >= block.from && from <= block.to
  return [from, to].some((at) => at > block.from && at < block.to)
}
