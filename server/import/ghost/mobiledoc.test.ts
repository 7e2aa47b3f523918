import { expect, test } from 'vitest'
import { textOfLexical } from './lexical.ts'
import { textOfMobiledoc } from './mobiledoc.ts'

const plain = (html: string) => html

test('the blocks, marks, atoms and cards of Ghost 1 to 4 become Markdown', () => {
  const mobiledoc = {
    atoms: [['soft-return', '', {}]],
    cards: [
      ['image', { src: 'a.png', alt: 'A', caption: 'The keel' }],
      ['hr', {}],
      ['code', { code: 'x' }],
    ],
    markups: [['strong'], ['a', ['href', 'https://x.example']]],
    sections: [
      [
        1,
        'p',
        [
          [0, [0], 1, 'Bold'],
          [1, [], 0, 0],
          [0, [1], 1, 'link'],
          [0, [1, 0], 2, 'both'],
        ],
      ],
      [10, 0],
      [1, 'h2', [[0, [], 0, 'Head']]],
      [3, 'ol', [[[0, [], 0, 'one']], [[0, [], 0, 'two']]]],
      [10, 1],
      [10, 2],
      [10, 9],
      'damaged',
    ],
  }
  expect(textOfMobiledoc(mobiledoc, plain)).toBe(
    '**Bold**\n[link](https://x.example)[**both**](https://x.example)\n\n![A](a.png)\n\nThe keel\n\n## Head\n\n1. one\n2. two\n\n---\n\n```\nx\n```',
  )
})

test('lists in lists keep their depth, and cards with texts keep them', () => {
  const item = (...children: object[]) => ({ type: 'listitem', children })
  const text = (words: string) => ({ type: 'extended-text', text: words })
  const inner = { type: 'list', listType: 'bullet', children: [item(text('in'))] }
  const children = [
    { type: 'list', listType: 'number', children: [item(text('one')), item(inner)] },
    { type: 'product', productTitle: 'Glue', productDescription: 'Holds' },
    { type: 'video', src: 'v.mp4', caption: 'Launch' },
    { type: 'paywall' },
    {
      type: 'list',
      listType: 'check',
      children: [{ ...item(text('sand')), checked: true }, item(text('oil'))],
    },
    {
      type: 'paragraph',
      children: [
        { ...text('x'), format: 64 },
        { ...text('y'), format: 128 },
      ],
    },
  ]
  expect(textOfLexical(JSON.stringify({ root: { children } }), plain)).toBe(
    '1. one\n   - in\n\nGlue\n\nHolds\n\n![](v.mp4)\n\nLaunch\n\n- [x] sand\n- [ ] oil\n\n<sup>x</sup>==y==',
  )
})
