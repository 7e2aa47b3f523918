import { EditorState } from '@codemirror/state'
import { WidgetType } from '@codemirror/view'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceLines } from '#web/composer/text/source-lines.ts'
import { heldPlaces } from './held-places.ts'
import { createMediaField } from './media-field.ts'

class Drawn extends WidgetType {
  override toDOM(): HTMLElement {
    throw new Error('nothing is drawn here')
  }
}

const field = createMediaField(() => new Drawn())
const open = (doc: string) => EditorState.create({ doc, extensions: [sourceLines, heldPlaces, field] })

/** Returns the blocks of a text, and the places at which something is drawn. */
function shownBy(state: EditorState) {
  const { blocks, settled, decorations, hidden } = state.field(field)
  const places: string[] = []
  for (const set of [decorations, hidden])
    set.between(0, state.doc.length, (from, to) => void places.push(`${from} ${to}`))
  const withoutKeys = blocks.map(({ key: _key, ...block }) => block)
  const words = settled.map(({ items }) => items.map(({ id, caption }) => `${id} ${caption}`))
  return { blocks: withoutKeys, places, words }
}

const picture = '![a](/files/0199a0b0-0000-7000-8000-000000000001 "one")'
const piece = fc.constantFrom(
  'word',
  ' ',
  '\n',
  '`',
  '```\n',
  picture,
  `${picture}\n`,
  '[a](b)',
  ']',
  '!',
  '(',
)
const edit = fc.record({ at: fc.nat(400), removed: fc.nat(12), insert: piece })

test('after any edits, files are shown as in an editor that is opened with the same text', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(edit, { maxLength: 12 }), (start, edits) => {
      let state = open(start.join(''))
      for (const { at, removed, insert } of edits) {
        const from = Math.min(at, state.doc.length)
        const to = Math.min(from + removed, state.doc.length)
        state = state.update({ changes: { from, to, insert } }).state
        expect(shownBy(state)).toEqual(shownBy(open(state.doc.toString())))
      }
    }),
  )
})

test('typing elsewhere leaves what is known of the files as it is', () => {
  const state = open(`It rose, see [the recipe](https://example.com).\n\n${picture}`)
  const typed = state.update({ changes: { from: 7, insert: ' fast' } }).state
  expect(typed.field(field).settled).toBe(state.field(field).settled)
  expect(typed.field(field).blocks[0]?.from).toBe((state.field(field).blocks[0]?.from ?? 0) + 5)
})
