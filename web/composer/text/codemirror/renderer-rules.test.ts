import type { SyntaxNodeRef } from '@lezer/common'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { markdownLanguage } from './markdown-language.ts'

/** Returns the names and texts of the nodes of a text. */
function nodesOf(text: string): [string, string][] {
  const nodes: [string, string][] = []
  markdownLanguage.parser.parse(text).iterate({
    enter: ({ name, from, to }: SyntaxNodeRef) => void nodes.push([name, text.slice(from, to)]),
  })
  return nodes
}

const textsOf = (text: string, name: string) =>
  nodesOf(text).flatMap(([one, written]) => (one === name ? [written] : []))

test.each([
  ['これは**「重要」**です。', 'StrongEmphasis', '**「重要」**'],
  ['これは*「重要」*です。', 'Emphasis', '*「重要」*'],
  ['旧~~「案」~~新', 'Strikethrough', '~~「案」~~'],
  ['😀**「a」**b', 'StrongEmphasis', '**「a」**'],
  ['詳細はhttps://example.org/a（説明）了解。', 'URL', 'https://example.org/a'],
  ['見る：www.example.org/aを', 'URL', 'www.example.org/a'],
  ['loaf@example.orgです', 'URL', 'loaf@example.org'],
  ['---\ntitle: x\n---\nBread', 'FencedCode', '---\ntitle: x\n---'],
  ['---\ntitle: x\n- a', 'FencedCode', '---\ntitle: x\n- a'],
])('the editor reads %j like the renderer', (text, name, expected) => {
  expect(textsOf(text, name)).toEqual([expected])
})

test.each(['---\nBread\n---', 'Bread\n\n---\ntitle: x\n---'])('%j has no front matter', (text) => {
  expect(textsOf(text, 'FencedCode')).toEqual([])
})

test('the editor and the renderer agree on emphasis', () => {
  const characters = [
    ...'a 1日あアー「」。，（）”’ 한.!"😀\u{20000}\u3000',
    '字\uFE00',
    '“\uFE01',
    '字\u{E0100}',
    '**',
    '*',
    '**',
    '_',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...characters), { minLength: 3, maxLength: 9 }), (parts) => {
      const text = `x${parts.join('')}x`
      const { html } = renderMarkdown(text)
      const count = (tag: string) => html.split(`<${tag}>`).length - 1
      expect([text, textsOf(text, 'Emphasis').length, textsOf(text, 'StrongEmphasis').length]).toEqual([
        text,
        count('em'),
        count('strong'),
      ])
    }),
    { numRuns: 2_000 },
  )
})
