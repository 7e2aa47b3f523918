import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const render = (content: string) => renderMarkdown(content).html
const directionsIn = (content: string) => render(content).match(/<\w+(?=[^<>]* dir="auto")/g)

test('lists and quotations have the direction of their content in texts with right-to-left letters', () => {
  expect(directionsIn('- خشب\n\n> قارب\n\n1. cedar')).toEqual(['<ul', '<blockquote', '<ol'])
})

test.each([
  ['> - خشب', '<blockquote'],
  ['> > خشب', '<blockquote'],
  ['- > خشب\n  1. قارب', '<ul'],
])('only the outermost of nested lists and quotations in %j decides', (content, outermost) => {
  expect(directionsIn(content)).toEqual([outermost])
})

test('footnotes have the direction of their content, also for the lists in them', () => {
  expect(directionsIn('خشب[^1]\n\n[^1]: قارب\n\n    - ماء')).toEqual(['<ol'])
})

test('a callout has the direction of its content, not of its English title', () => {
  expect(render('> [!NOTE]\n> خشب')).toContain(
    '<blockquote class="callout" role="note" data-callout="note" dir="auto">\n<p class="callout-title"><strong dir="ltr">Note</strong></p>',
  )
})

test('a table has the direction of its first letter', () => {
  expect(render('| خشب |\n|---|\n| a |')).toContain('<div class="prose-scroll" dir="auto" role="group"')
  expect(directionsIn('> | خشب |\n> |---|\n> | a |')).toEqual(['<blockquote'])
})

test.each([
  ['```js\nrun()\n```', /<pre [^>]*dir="ltr">/],
  ['    run()', /<pre [^>]*dir="ltr">/],
  ['$$\nx + y\n$$', /<div class="math-display" [^>]*dir="ltr">/],
  ['$$x + y$$ is', /<span class="math-display" [^>]*dir="ltr">/],
  ['$$\n\\unknown\n$$', /<p class="math-source" dir="ltr">/],
])('%j is left to right', (content, opening) => {
  expect(render(`> ${content.replaceAll('\n', '\n> ')}\n>\n> خشب`)).toMatch(opening)
})

test.each(['א', 'ߊ', 'ހ', 'ܐ', '𞤀', '𐴀', 'ࡀ', 'ࠀ'])('%s is a right-to-left letter', (letter) => {
  expect(directionsIn(`- ${letter}`)).toEqual(['<ul'])
})

test('texts without right-to-left letters have no direction', () => {
  const content =
    '- cedar\n\n> *é* 木[^1]\n\n> [!NOTE]\n> a\n\n```\na\n```\n\n$$x$$\n\n| a |\n|---|\n| b |\n\n[^1]: oak'
  expect(render(content)).not.toContain('dir=')
})
