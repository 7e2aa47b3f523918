import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { edited } from './edits.ts'
import { tabInTable } from './tables.ts'

/** Returns the text after a press of Tab, or of Shift+Tab, at the bar; with the selection in brackets. */
function after(picture: string, direction: 1 | -1 = 1): string | null {
  const at = picture.indexOf('‸')
  const text = picture.replace('‸', '')
  const edit = tabInTable(direction)({ text, start: at, end: at })
  if (!edit) return null
  const now = edited(text, edit)
  return `${now.slice(0, edit.start)}⟦${now.slice(edit.start, edit.end)}⟧${now.slice(edit.end)}`
}

test('Tab selects the next cell, and aligns the source', () => {
  expect(after('| Flour‸ | g |\n|-|-:|\n| rye | 500 |')).toBe(
    '| Flour | ⟦g⟧   |\n| ----- | --: |\n| rye   | 500 |',
  )
  expect(after('a|b‸\n-|-\nc|d')).toBe('| a   | b   |\n| --- | --- |\n| ⟦c⟧   | d   |')
  expect(after('before\n\n| 小麦 | b |\n| - | - |\n| c‸ | d |\n\nafter')).toBe(
    'before\n\n| 小麦 | b   |\n| ---- | --- |\n| c    | ⟦d⟧   |\n\nafter',
  )
})

test('Tab in the last cell adds a row, and Shift+Tab goes back', () => {
  expect(after('| a | b |\n| --- | --- |\n| c | d‸ |')).toBe(
    '| a   | b   |\n| --- | --- |\n| c   | d   |\n| ⟦⟧    |     |',
  )
  expect(after('| a | b |\n| --- | --- |\n| c‸ | d |', -1)).toBe(
    '| a   | ⟦b⟧   |\n| --- | --- |\n| c   | d   |',
  )
  expect(after('| a‸ | b |\n| --- | --- |', -1)).toBeNull()
})

test.each([
  '| a‸ | b |',
  'a‸',
  '```\n| a‸ |\n| - |\n```',
  '> | a‸ | b |\n> | - | - |',
  '| a | b |\n|---|---|\n\n‸',
])('%j is no table at the caret', (picture) => {
  expect(after(picture)).toBeNull()
})

test('an aligned table reads as before', () => {
  const cell = fc.constantFrom('a', '', 'x \\| y', '`c`', '**b**', '小麦', ' two ')
  const row = fc.array(cell, { minLength: 2, maxLength: 2 })
  fc.assert(
    fc.property(row, fc.array(row, { minLength: 1, maxLength: 4 }), (head, rows) => {
      const line = (cells: string[]) => `|${cells.join('|')}|`
      const text = [line(head), '|:-|-:|', ...rows.map(line)].join('\n')
      const edit = tabInTable(1)({ text, start: 1, end: 1 })
      expect(edit && renderMarkdown(edited(text, edit)).html).toBe(renderMarkdown(text).html)
    }),
  )
})
