import { history, insertNewline, undo } from '@codemirror/commands'
import { EditorState, type Transaction } from '@codemirror/state'
import { tests as written } from 'commonmark-spec'
import { expect, test } from 'vitest'
import { GFM_EXAMPLES } from '#markdown/testing/gfm-examples.ts'
import { editorCommands } from '#web/composer/text/editor-commands.ts'
import { markdown } from './markdown-language.ts'

const examples = [
  ...written.map(({ markdown: text }) => text.replaceAll('→', '\t')),
  ...GFM_EXAMPLES.map(([, text]) => text),
]

const start = (doc = '') => EditorState.create({ doc, extensions: [markdown(), history()] })

function run(state: EditorState, command: typeof insertNewline): EditorState {
  let next = state
  command({ state, dispatch: (transaction: Transaction) => (next = transaction.state) })
  return next
}

function typed(text: string): string {
  let state = start()
  for (const character of text) {
    state =
      character === '\n'
        ? run(state, insertNewline)
        : state.update(state.replaceSelection(character), { userEvent: 'input.type' }).state
  }
  return state.doc.toString()
}

test('every example of CommonMark and GFM is unchanged after typing it', () => {
  expect(examples.length).toBeGreaterThan(660)
  expect(examples.filter((text) => typed(text) !== text)).toEqual([])
})

test('every example is unchanged after pasting or opening it', () => {
  const pasted = (text: string) => start().update(start().replaceSelection(text)).state.doc.toString()
  expect(examples.filter((text) => pasted(text) !== text)).toEqual([])
  expect(examples.filter((text) => start(text).doc.toString() !== text)).toEqual([])
})

test('undo reverts every toolbar button for every example', () => {
  for (const text of examples) {
    for (const { edit } of editorCommands) {
      const { from, to, insert } = edit({ text, start: 0, end: text.length })
      const changed = start(text).update({ changes: { from, to, insert } }).state
      expect(run(changed, undo).doc.toString()).toBe(text)
    }
  }
})
