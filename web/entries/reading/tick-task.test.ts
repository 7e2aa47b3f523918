import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { ticksOf, withoutTicks, withTick } from '#web/markdown/ticks.ts'
import { tickedContent } from './tick-task.ts'

const piece = fc.constantFrom(
  ...'- [ ] rye|- [x] wheat|  - [X] deep|> - [ ] quoted|1. [ ] first|\n|\n\n|```\n|\u{1f35e}| checked="">| data-task="3">'.split(
    '|',
  ),
)
const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('\n'))

test('a tick changes one character of the text, and that task alone', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.boolean(), (content, choice, isDone) => {
      const { html } = renderMarkdown(content)
      const offsets = [...ticksOf(html).keys()].map(Number)
      if (offsets.length === 0) return
      const offset = offsets[choice % offsets.length] as number
      const ticked = tickedContent(content, offset, isDone) as string
      expect(ticked.length).toBe(content.length)
      expect(ticked.slice(0, offset) + ticked.slice(offset + 1)).toBe(
        content.slice(0, offset) + content.slice(offset + 1),
      )
      // What is shown at once is what the server renders afterwards.
      expect(withTick(html, offset, isDone)).toBe(renderMarkdown(ticked).html)
      expect(withoutTicks(renderMarkdown(ticked).html)).toBe(withoutTicks(html))
    }),
    { numRuns: 500 },
  )
})

test('where no task is, nothing is changed', () => {
  expect(tickedContent('- [ ] a', 4, true)).toBeUndefined()
  expect(tickedContent('- [-] a', 3, true)).toBeUndefined()
  expect(tickedContent('', 0, true)).toBeUndefined()
})
