import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

/** The characters in the source that the tasks of a text refer to. */
const signsOf = (content: string) =>
  Array.from(renderMarkdown(content).html.matchAll(/data-task="(\d+)"/g), ([, offset]) => {
    const at = Number(offset)
    return content.slice(at - 1, at + 2)
  })

test.each([
  ['- [ ] a\n- [x] b', ['[ ]', '[x]']],
  ['> 1. [X] a\n>    * [ ] b', ['[X]', '[ ]']],
  ['-   [ ]   a  \n\n    b\n\n+\t[x]\tc', ['[ ]', '[x]']],
  ['\u{1f35e}\n- [ ] [ ] a [x]', ['[ ]']],
  ['> [!NOTE]\n> - [x] a', ['[x]']],
  ['- [x] a\n  lazy [ ] b  ', ['[x]']],
])('the tasks of %j have the offsets of their characters', (content, signs) => {
  expect(signsOf(content)).toEqual(signs)
})

const piece = fc.constantFrom(...'- |[ ] |[x] |> |1. |\t|  |a|\n|\n\n|\u{1f35e}|`|* |[|]'.split('|'))

test('the offset of a task is that of its character in any text', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      for (const sign of signsOf(pieces.join(''))) expect(sign).toMatch(/^\[[ xX]\]$/)
    }),
    { numRuns: 1_000 },
  )
})
