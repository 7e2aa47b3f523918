import { readdirSync, readFileSync } from 'node:fs'
import { tests as commonmark } from 'commonmark-spec'
import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { GFM_EXAMPLES } from '#markdown/testing/gfm-examples.ts'
import { hostileTexts, SIZES } from '#markdown/testing/hostile.ts'

const styles = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.css'))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .join('\n')

const html = [
  ...commonmark.map(({ markdown }) => markdown),
  ...GFM_EXAMPLES.map(([, markdown]) => markdown),
  ...hostileTexts.filter(({ size }) => size === SIZES[0]).map(({ content }) => content),
]
  .map((text) => renderMarkdown(text).html)
  .join('\n')

/** Returns the matches of a pattern's group in the rendered texts, each once. */
const found = (pattern: RegExp) => [...new Set(Array.from(html.matchAll(pattern), ([, name = '']) => name))]

const lacks = (selector: string) => !new RegExp(`${selector}(?![\\w-])`).test(styles)

/** The elements that need no style, besides those of formulas. */
const PLAIN = ['div', 'em', 'section', 'span', 'tbody', 'thead', 'tr']
const FORMULA = /^m(?:i|n|o|row|space|sqrt|sup|text)$/

test('every element that the renderer writes has a style, or needs none', () => {
  const elements = found(/<([a-z][a-z0-9]*)[ >]/g).filter((name) => !FORMULA.test(name))
  expect(elements.filter((name) => lacks(`(?<![\\w-.])${name}`)).toSorted()).toEqual(PLAIN)
})

test('every class that the renderer writes has a style, except for those of languages and of uncolored code', () => {
  const classes = new Set(found(/ class="([^"]*)"/g).flatMap((names) => names.split(' ')))
  const unstyled = [...classes].filter((name) => !name.startsWith('language-') && lacks(`\\.${name}`))
  expect(unstyled.toSorted()).toEqual(['code-punctuation', 'contains-task-list'])
})
