import { expect, test } from 'vitest'
import { edited } from './edits.ts'
import { indentItems } from './list-indent.ts'

/** Indents the item at the `|` of a text; the result shows where the caret is then. */
function after(picture: string, direction: 1 | -1): string | null {
  const start = picture.search(/[⟦|]/)
  const end = picture.includes('⟧') ? picture.indexOf('⟧') - 1 : start
  const text = picture.replaceAll(/[⟦⟧|]/g, '')
  const edit = indentItems(direction)({ text, start, end })
  if (!edit) return null
  const result = edited(text, edit)
  if (start === end) return `${result.slice(0, edit.start)}|${result.slice(edit.start)}`
  return `${result.slice(0, edit.start)}⟦${result.slice(edit.start, edit.end)}⟧${result.slice(edit.end)}`
}

test.each([
  ['- a\n- b|', '- a\n  - b|'],
  ['- a\n- |', '- a\n  - |'],
  ['- a\n|- b', '- a\n  |- b'],
  ['1. a\n2. b|', '1. a\n   1. b|'],
  ['10. a\n11. b|', '10. a\n    1. b|'],
  ['- [ ] a\n- [x] b|', '- [ ] a\n  - [x] b|'],
  ['- a\n  - b\n- c|', '- a\n  - b\n  - c|'],
  ['1. a\n   1. b\n2. c|', '1. a\n   1. b\n   2. c|'],
  ['- a\n- b|\n  - c\n- d', '- a\n  - b|\n    - c\n- d'],
  ['- a\n⟦- b\n- c⟧', '- a\n  ⟦- b\n  - c⟧'],
  ['- a\n\n- b|', '- a\n\n  - b|'],
  ['- a|', '- a|'],
  ['- a\n  - b|', '- a\n  - b|'],
])('Tab in %j gives %j', (before, expected) => {
  expect(after(before, 1)).toBe(expected)
})

test.each([
  ['- a\n  - b|', '- a\n- b|'],
  ['- a\n    - b|', '- a\n- b|'],
  ['- a\n\t- b|', '- a\n- b|'],
  ['1. a\n   1. b|', '1. a\n2. b|'],
  ['- a\n  - b\n    - c|', '- a\n  - b\n  - c|'],
  ['- a\n  - b|\n    - c', '- a\n- b|\n  - c'],
  ['- a\n⟦  - b\n  - c⟧', '- a\n⟦- b\n- c⟧'],
])('Shift+Tab in %j gives %j', (before, expected) => {
  expect(after(before, -1)).toBe(expected)
})

test.each(['plain|', '|', '```\n- a|\n```', '- a\n\nplain|', '# - a|'])('Tab leaves %j', (text) => {
  expect(after(text, 1)).toBeNull()
})

test.each(['- a|', '- a\n- b|', 'plain|'])('Shift+Tab leaves %j', (text) => {
  expect(after(text, -1)).toBeNull()
})
