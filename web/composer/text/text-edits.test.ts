import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Edit, edited, type Selected } from './edits.ts'
import { isUrl, makeLink, pasteUrl } from './link-edits.ts'
import { toggleMark } from './marks.ts'
import { pasteLines } from './paste-edits.ts'
import { continueLines, markCode, removeMarker, toggleLines } from './text-edits.ts'

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
  ['**one ⟦two⟧**', '**one** ⟦two⟧'],
  ['**⟦one⟧ two**', '⟦one⟧ **two**'],
  ['- **one ⟦two⟧ three** four', '- **one** ⟦two⟧ **three** four'],
  ['**one t|wo**', '**one** ⟦two⟧'],
  ['__one ⟦two⟧__', '__one__ ⟦two⟧'],
  ['**a** ⟦b⟧ **c**', '**a** **⟦b⟧** **c**'],
  ['2 ** 3 ⟦b⟧ ** 4', '2 ** 3 **⟦b⟧** ** 4'],
])('bold takes a part out of what is bold: %s becomes %s', (before, expected) => {
  expect(after(before, toggleMark('**'))).toBe(expected)
})

test.each([
  ['⟦a\n\nb⟧', '⟦**a**\n\n**b**⟧'],
  ['⟦a\nb⟧', '**⟦a\nb⟧**'],
  ['⟦- a\n- b\n⟧', '- ⟦**a**\n- **b**⟧\n'],
  ['⟦- [ ] a  \n2. b⟧', '- [ ] ⟦**a**  \n2. **b**⟧'],
  ['⟦# a\nb⟧', '# ⟦**a**\n**b**⟧'],
  ['⟦> a\n> b⟧', '> ⟦**a**\n> **b**⟧'],
  ['⟦a\n\n```\nb\n```\n\nc⟧', '⟦**a**\n\n```\nb\n```\n\n**c**⟧'],
  ['⟦a\n\n---\n\nb⟧', '⟦**a**\n\n---\n\n**b**⟧'],
  ['⟦- a⟧', '- **⟦a⟧**'],
  ['x ⟦a\n\nb⟧ y', 'x ⟦**a**\n\n**b**⟧ y'],
  ['⟦**a**\n\n**b**⟧', '⟦a\n\nb⟧'],
  ['- ⟦**a**\n- **b**⟧', '- ⟦a\n- b⟧'],
  ['⟦- **a**\n- b⟧', '- ⟦**a**\n- **b**⟧'],
  ['⟦a **b** c⟧', '**⟦a b c⟧**'],
  ['⟦**a** and **b**⟧', '**⟦a and b⟧**'],
  ['⟦__a__⟧', '⟦a⟧'],
  ['⟦```\na\n```⟧', '⟦```\na\n```⟧'],
  ['ab| \n', 'ab**|** \n'],
])('bold changes each part of %j to %j', (before, expected) => {
  expect(after(before, toggleMark('**'))).toBe(expected)
})

test('bold changes each cell of a table', () => {
  const text = '| a | b |\n| - | - |\n| c | d |'
  expect(edited(text, toggleMark('**')({ text, start: 0, end: text.length }))).toBe(
    '| **a** | **b** |\n| - | - |\n| **c** | **d** |',
  )
})

test.each([
  ['**⟦a⟧**', '***⟦a⟧***'],
  ['***⟦a⟧***', '⟦**a**⟧'],
  ['_⟦a⟧_', '⟦a⟧'],
  ['*one ⟦two⟧* three', '*one* ⟦two⟧ three'],
  ['a_b ⟦c⟧ d_e', 'a_b *⟦c⟧* d_e'],
  ['fo|o', '*⟦foo⟧*'],
  ['foo⟦bar⟧baz', 'foo*⟦bar⟧*baz'],
  ['日⟦本⟧語', '日*⟦本⟧*語'],
])('italics change %j to %j', (before, expected) => {
  expect(after(before, toggleMark('*'))).toBe(expected)
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

const address = 'https://example.org'

test.each([
  ['the ⟦recipe⟧', address, `the [recipe](${address})|`],
  ['the⟦ recipe ⟧', address, `the [recipe](${address})| `],
  ['the ⟦recipe⟧', ` ${address}\n`, `the [recipe](${address})|`],
  ['the ⟦recipe⟧', 'mailto:ada@example.org', 'the [recipe](mailto:ada@example.org)|'],
  ['the ⟦recipe⟧', `${address}/a_(b)`, `the [recipe](${address}/a_(b))|`],
  ['the ⟦recipe⟧', `${address}/a)`, `the [recipe](${address}/a%29)|`],
  ['the ⟦a [b]⟧', address, `the [a [b]](${address})|`],
  ['the ⟦a] b⟧', address, `the [a\\] b](${address})|`],
  ['⟦**a**⟧', address, `[**a**](${address})|`],
  ['⟦![a](b)⟧', address, `[![a](b)](${address})|`],
  ['[docs](⟦https://⟧)', address, `[docs](${address}|)`],
  ['[docs](⟦url⟧)', address, `[docs](${address}|)`],
  ['[docs](⟦url⟧)', ` ${address}/a) `, `[docs](${address}/a%29|)`],
  ['[docs](|)', address, `[docs](${address}|)`],
  ['![a](⟦b⟧ "c")', address, `![a](${address}| "c")`],
  ['- see ⟦a⟧', address, `- see [a](${address})|`],
  ['`a` ⟦b⟧ `c`', address, `\`a\` [b](${address})| \`c\``],
])('with %s, pasting %s gives %s', (before, pasted, expected) => {
  expect(after(before, (selected) => pasteUrl(selected, pasted))).toBe(expected)
})

test.each([
  'see |',
  '⟦a\nb⟧',
  '⟦https://example.com⟧',
  '⟦ ⟧',
  '`⟦a⟧`',
  '``a ` ⟦b⟧``',
  '```\n⟦a⟧\n```',
  '~~~\n```\n⟦a⟧',
  '- a\n\n  ```\n  ⟦a⟧\n  ```',
  'a\n\n    ⟦b⟧',
  '[see ⟦a⟧ b](c)',
  '⟦[a](b)⟧',
  'x ⟦[a](b) c⟧',
  '[⟦a⟧][b]',
  '<https://⟦a⟧.example>',
  'https://example.com/⟦a⟧',
  '[a]: ⟦b⟧',
])('with %s, a URL is pasted as it is', (before) => {
  expect(after(before, (selected) => pasteUrl(selected, address))).toBeNull()
})

test.each([`${address} and`, `${address}\n${address}`, 'javascript:alert(1)', 'example.org', ''])(
  '%s is not a single URL',
  (pasted) => {
    expect(isUrl(pasted)).toBe(false)
    expect(after('the ⟦recipe⟧', (selected) => pasteUrl(selected, pasted))).toBeNull()
  },
)

test('words that become a link take the address that is pasted next', () => {
  const selected = given('the ⟦docs⟧')
  const link = makeLink(selected)
  const text = edited(selected.text, link)
  const pasted = pasteUrl({ text, start: link.start, end: link.end }, address)
  expect(pasted && edited(text, pasted)).toBe(`the [docs](${address})`)
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
  ['> - flour|', '> - flour\n> - |'],
  ['> > 9) flour|', '> > 9) flour\n> > 10) |'],
  ['> - flour\n> - |', '> - flour\n> \n> |'],
  ['> said\n> |', '> said\n\n|'],
  ['0. zero|', '0. zero\n1. |'],
  ['- flour\n- |', '- flour\n\n|'],
  ['- flour\n\n- |', '- flour\n\n|'],
  ['- flour\n  - |', '- flour\n- |'],
  ['1. flour|\n2. rye\n   - a\n\n3. salt\n\n4. a', '1. flour\n2. |\n3. rye\n   - a\n\n4. salt\n\n5. a'],
  ['8. fl|our\n9. rye', '8. fl\n9. |our\n10. rye'],
  ['> 1. flour|\n> 2. rye', '> 1. flour\n> 2. |\n> 3. rye'],
  ['1. flour|\n1. rye', '1. flour\n2. |\n1. rye'],
  ['1. flour|\ntext\n2. rye', '1. flour\n2. |\ntext\n2. rye'],
  ['- fl|our', '- fl\n- |our'],
  ['- flour\n\n  rye|', '- flour\n\n  rye\n  |'],
  ['- flour\n\n  rye\n  |', '- flour\n\n  rye\n\n  |'],
  ['- flour\n\n  rye\n\n  |', '- flour\n\n  rye\n\n|'],
  ['1. flour\n\n\try|e', '1. flour\n\n\try\n\t|e'],
  ['> - flour\n>   rye|', '> - flour\n>   rye\n>   |'],
  ['> - flour\n>   rye\n>   |', '> - flour\n>   rye\n> \n>   |'],
  ['- b\n\n  ```\n  - a|', '- b\n\n  ```\n  - a\n  |'],
  ['```\n\tif (a)|\n```', '```\n\tif (a)\n\t|\n```'],
  ['> ```\n> a|', '> ```\n> a\n> |'],
])('Enter changes %s to %s', (before, expected) => {
  expect(after(before, continueLines)).toBe(expected)
})

test.each([
  'plain|',
  '|- flour',
  '⟦- flour⟧',
  '|',
  '**bold**|',
  '```\n- a|\n```',
  '~~~yaml\n1. a|',
  '- flour\n|',
])('Enter has its default action in %s', (before) => {
  expect(after(before, continueLines)).toBeNull()
})

test.each([
  ['- flour\n- |', '- flour\n|'],
  ['- flour\n- |rye', '- flour\n|rye'],
  ['  - [x] |', '  |'],
  ['> 10. |', '> |'],
])('Backspace behind a mark changes %s to %s', (before, expected) => {
  expect(after(before, removeMarker)).toBe(expected)
})

test.each(['a - |', '- a|', '-|', '⟦- ⟧', '```\n- |'])('Backspace has its default action in %s', (before) => {
  expect(after(before, removeMarker)).toBeNull()
})

test.each([
  ['- a\n- |', '- b\n- c\n', '- a\n- b\n- c|'],
  ['- a\n  - [ ] |', '  1. b\n    - c', '- a\n  1. b\n    - c|'],
  ['| a | b |\n| - | - |\n| | c |', 'x|y\n\nz', '| a | b |\n| - | - |\n| x\\|y<br>z|| c |'],
])('with %j, pasting %j gives %j', (before, pasted, expected) => {
  const caret = before.startsWith('|') ? before.lastIndexOf('| | c') + 2 : before.indexOf('|')
  const text = before.startsWith('|') ? before : before.replace('|', '')
  const edit = pasteLines({ text, start: caret, end: caret }, pasted)
  expect(edit && picture(edited(text, edit), edit)).toBe(expected)
})

test.each([
  ['- |', 'b\nc'],
  ['- ⟦a⟧', '- b\n- c'],
  ['a |', '- b'],
  ['|', 'a\nb'],
  ['a | b\n', 'x\ny'],
])('with %j, %j is pasted as it is', (before, pasted) => {
  expect(after(before, (selected) => pasteLines(selected, pasted))).toBeNull()
})

test.each([0, 9, 10, 19])('lines at position %d beside the cells of a row are pasted as they are', (at) => {
  expect(pasteLines({ text: '| a | b |\n|---|---|', start: at, end: at }, 'c\nd\n')).toBeNull()
})

test('lines over a whole table take its place', () => {
  const text = '| a |\n| - |\n| b |'
  expect(pasteLines({ text, start: 0, end: text.length }, 'c\nd')).toBeNull()
})

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
  toggleMark('*'),
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
