import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  continueLines,
  type Edit,
  edited,
  isUrl,
  makeLink,
  markCode,
  type Selected,
  toggleLines,
  toggleMark,
} from './text-edits.ts'

/** Parses `a [b] c` as the text `a b c` with `b` selected, and `a | c` as a caret. */
function given(picture: string): Selected {
  const start = picture.search(/[⟦|]/)
  const end = picture.includes('⟧') ? picture.indexOf('⟧') - 1 : start
  return { text: picture.replaceAll(/[⟦⟧|]/g, ''), start, end }
}

function picture(text: string, { start, end }: { start: number; end: number }): string {
  if (start === end) return `${text.slice(0, start)}|${text.slice(start)}`
  return `${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`
}

function after(before: string, change: (selected: Selected) => Edit | null): string | null {
  const selected = given(before)
  const edit = change(selected)
  return edit && picture(edited(selected.text, edit), edit)
}

test.each([
  ['a ⟦loaf⟧ rose', 'a **⟦loaf⟧** rose'],
  ['a⟦ loaf ⟧rose', 'a **⟦loaf⟧** rose'],
  ['a **⟦loaf⟧** rose', 'a ⟦loaf⟧ rose'],
  ['a ⟦**loaf**⟧ rose', 'a ⟦loaf⟧ rose'],
  ['a lo|af rose', 'a **⟦loaf⟧** rose'],
  ['a | rose', 'a **|** rose'],
  ['|', '**|**'],
  ['**|**', '|'],
])('bold changes %s to %s', (before, expected) => {
  expect(after(before, toggleMark('**'))).toBe(expected)
})

test.each([
  ['run ⟦npm start⟧', 'run `⟦npm start⟧`'],
  ['⟦a\nb⟧', '```\n⟦a\nb⟧\n```'],
  ['see ⟦a\nb⟧ c', 'see \n```\n⟦a\nb⟧\n```\n c'],
])('code changes %s to %s', (before, expected) => {
  expect(after(before, markCode)).toBe(expected)
})

test.each([
  ['the ⟦recipe⟧', 'the [recipe](⟦https://⟧)'],
  ['⟦https://example.com⟧', '[|](https://example.com)'],
  ['see |', 'see [|](https://)'],
])('link changes %s to %s', (before, expected) => {
  expect(after(before, makeLink)).toBe(expected)
})

test('a URL pasted over words links them', () => {
  expect(isUrl(' https://example.com/a?b=c ')).toBe(true)
  expect(isUrl('https://example.com and more')).toBe(false)
  expect(isUrl('javascript:alert(1)')).toBe(false)
  expect(after('the ⟦recipe⟧', (selected) => makeLink(selected, 'https://example.com'))).toBe(
    'the [recipe](https://example.com)|',
  )
})

test.each([
  ['bullets' as const, '⟦flour\nwater⟧', '⟦- flour\n- water⟧'],
  ['bullets' as const, '- flo|ur', 'flour|'],
  ['bullets' as const, 'a\nflo|ur\nb', 'a\n- flour|\nb'],
  ['bullets' as const, '|', '- |'],
  ['bullets' as const, '⟦1. a\n2. b⟧', '⟦- a\n- b⟧'],
  ['bullets' as const, '⟦- [ ] a\n- [x] b⟧', '⟦- a\n- b⟧'],
  ['numbers' as const, '⟦- a\n\n- b\n⟧', '⟦1. a\n\n2. b⟧\n'],
  ['tasks' as const, '⟦a\n  b⟧', '⟦- [ ] a\n  - [ ] b⟧'],
  ['tasks' as const, '⟦- [ ] a\n- [x] b⟧', '⟦a\nb⟧'],
  ['quote' as const, '⟦a\nb⟧', '⟦> a\n> b⟧'],
  ['quote' as const, '> a|', 'a|'],
  ['heading' as const, 'A day|', '## A day|'],
  ['heading' as const, '#### A day|', '## A day|'],
  ['heading' as const, '## A day|', 'A day|'],
])('%s changes %s to %s', (name, before, expected) => {
  expect(after(before, toggleLines(name))).toBe(expected)
})

test.each([
  ['- flour|', '- flour\n- |'],
  ['  * flour|', '  * flour\n  * |'],
  ['- [x] fed|', '- [x] fed\n- [ ] |'],
  ['9. nine|', '9. nine\n10. |'],
  ['2) two|', '2) two\n3) |'],
  ['> said|', '> said\n> |'],
  ['- flour\n- |', '- flour\n|'],
  ['- fl|our', '- fl\n- |our'],
])('Enter changes %s to %s', (before, expected) => {
  expect(after(before, continueLines)).toBe(expected)
})

test.each(['plain|', '|- flour', '⟦- flour⟧', '|', '**bold**|'])(
  'Enter has its default action in %s',
  (before) => {
    expect(after(before, continueLines)).toBeNull()
  },
)

const lines = fc
  .array(fc.constantFrom('', 'a', '- b', '3. c', '- [x] d', '> e', '# f', '  - g'), { minLength: 1 })
  .map((all) => all.join('\n'))
const selections = lines.chain((text) =>
  fc
    .tuple(fc.nat(text.length), fc.nat(text.length))
    .map(([a, b]) => ({ text, start: Math.min(a, b), end: Math.max(a, b) })),
)
const changes = fc.constantFrom(
  toggleMark('**'),
  toggleMark('_'),
  markCode,
  makeLink,
  ...(['heading', 'quote', 'bullets', 'numbers', 'tasks'] as const).map(toggleLines),
)

test('an edit is within its text, and its selection within the result', () => {
  fc.assert(
    fc.property(selections, changes, (selected, change) => {
      const edit = change(selected)
      expect(edit.from).toBeGreaterThanOrEqual(0)
      expect(edit.to).toBeGreaterThanOrEqual(edit.from)
      expect(edit.to).toBeLessThanOrEqual(selected.text.length)
      expect(edit.start).toBeGreaterThanOrEqual(edit.from)
      expect(edit.end).toBeLessThanOrEqual(edit.from + edit.insert.length)
    }),
  )
})

test('toggling a mark twice on selected words restores the text', () => {
  const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/)
  fc.assert(
    fc.property(words, words, words, (before, chosen, rest) => {
      const text = `${before} ${chosen} ${rest}`
      const start = before.length + 1
      const once = toggleMark('**')({ text, start, end: start + chosen.length })
      const marked = edited(text, once)
      expect(edited(marked, toggleMark('**')({ text: marked, start: once.start, end: once.end }))).toBe(text)
    }),
  )
})
