import { MutationObserver, QueryClient } from '@tanstack/react-query'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import type { EntryWithHtml } from '#web/entries/overlay.ts'
import { ticksOf, withoutTicks, withTick } from '#web/markdown/ticks.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offsetIn, TicksInFlight, tickedContent, tickMutation } from './tick-task.ts'

const piece = fc.constantFrom(
  ...'- [ ] rye|- [x] wheat|  - [X] deep|> - [ ] quoted|1. [ ] first|\n|\n\n|```\n|\u{1f35e}| checked="">| data-task="3">'.split(
    '|',
  ),
)
const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('\n'))

test('a tick changes one character of the text, and only that task', () => {
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
      // The optimistic HTML equals that of the server.
      expect(withTick(html, offset, isDone)).toBe(renderMarkdown(ticked).html)
      expect(withoutTicks(renderMarkdown(ticked).html)).toBe(withoutTicks(html))
    }),
    { numRuns: 500 },
  )
})

test('nothing changes at an offset without a task', () => {
  expect(tickedContent('- [ ] a', 4, true)).toBeUndefined()
  expect(tickedContent('- [-] a', 3, true)).toBeUndefined()
  expect(tickedContent('', 0, true)).toBeUndefined()
})

const shown = { _id: 'rye', milestone: 'loaf', content: '- [ ] a\n- [ ] b\n', version: 3 }
const offsets = [3, 11] as const
const html = '<input data-task="3"><input data-task="11">'

/** Ticks both tasks of an entry before the server has responded to the first, with the given responses. */
async function tickBoth(...responses: Response[]) {
  const client = new QueryClient()
  client.setQueryData(['entries', 'loaf', 'one', 'rye'], { ...shown, html })
  const sent: { content: FormDataEntryValue | null; version: string | null }[] = []
  vi.stubGlobal(
    'fetch',
    async (_url: string, { body, headers }: { body: FormData | null; headers: Headers }) => {
      sent.push({ content: body?.get('content') ?? null, version: headers.get('if-match') })
      return responses.shift()
    },
  )
  vi.stubGlobal('localStorage', { getItem: () => 'token' })
  const said: string[] = []
  vi.spyOn(toast, 'error').mockImplementation((text) => void said.push(text))
  const inFlight = new TicksInFlight()
  const options = tickMutation(client, shown, inFlight)
  await Promise.allSettled(
    offsets.map((offset) => {
      inFlight.begin(shown)
      return new MutationObserver(client, options).mutate({ shown: shown.content, offset, isDone: true })
    }),
  )
  const { content, html: cachedHtml }: Partial<EntryWithHtml> =
    client.getQueryData<EntryWithHtml>(['entries', 'loaf', 'one', 'rye']) ?? {}
  return { sent, said, content, html: cachedHtml }
}

test('a second tick is based on the result of the first, even if that failed', async () => {
  const both = await tickBoth(
    Response.json({ ...shown, content: '- [x] a\n- [ ] b\n', version: 4 }),
    Response.json({ ...shown, content: '- [x] a\n- [x] b\n', version: 5 }),
  )
  expect(both.sent).toEqual([
    { content: '- [x] a\n- [ ] b\n', version: '"3"' },
    { content: '- [x] a\n- [x] b\n', version: '"4"' },
  ])
  expect(both).toMatchObject({ said: [], content: '- [x] a\n- [x] b\n' })

  const second = await tickBoth(
    new Response(null, { status: 500 }),
    Response.json({ ...shown, content: '- [ ] a\n- [x] b\n', version: 4 }),
  )
  expect(second.sent[1]).toEqual({ content: '- [ ] a\n- [x] b\n', version: '"3"' })
  expect(second).toMatchObject({ said: ['Failed to save the task'], content: '- [ ] a\n- [x] b\n' })
  expect(second.html).toBe('<input data-task="3"><input data-task="11" checked="">')
})

test('ticks of a text that was changed elsewhere are not saved', async () => {
  const theirs = { ...shown, content: '- [ ] new\n', version: 9 }
  const { sent, said, content } = await tickBoth(
    Response.json({ code: 'stale', message: 'Changed', current: theirs }, { status: 412 }),
  )
  expect(sent).toHaveLength(1)
  expect(new Set(said).size).toBe(1)
  expect(said[0]).toContain('Somebody else has changed this entry')
  expect(content).toBe('- [ ] new\n')
})

test('a tick whose response was lost is sent again under its id, and the next one is based on it', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const lost = Response.error()
  const first = { ...shown, content: '- [x] a\n- [ ] b\n', version: 4 }
  const done = await tickBoth(
    lost,
    Response.json(first),
    Response.json({ ...shown, content: '- [x] a\n- [x] b\n', version: 5 }),
  )
  expect(done).toMatchObject({ said: [], content: '- [x] a\n- [x] b\n' })
  expect(done.sent[2]).toEqual({ content: '- [x] a\n- [x] b\n', version: '"4"' })
})

test('tasks are ticked in a text that somebody else has saved in the meantime', async () => {
  const theirs = { ...shown, content: 'New.\n- [ ] a\n- [ ] b\n', version: 9 }
  const { sent, said, content } = await tickBoth(
    Response.json({ code: 'stale', message: 'Changed', current: theirs }, { status: 412 }),
    Response.json({ ...shown, content: 'New.\n- [x] a\n- [ ] b\n', version: 10 }),
    Response.json({ ...shown, content: 'New.\n- [x] a\n- [x] b\n', version: 11 }),
  )
  expect(sent.slice(1)).toEqual([
    { content: 'New.\n- [x] a\n- [ ] b\n', version: '"9"' },
    { content: 'New.\n- [x] a\n- [x] b\n', version: '"10"' },
  ])
  expect(said).toEqual([])
  expect(content).toBe('New.\n- [x] a\n- [x] b\n')
})

test.each([
  ['the other has ticked some', '- [ ] a\n- [ ] a', '- [x] a\n- [ ] a', 11, 11],
  ['its line has moved', '- [ ] a\n- [ ] b', 'b\n\n- [ ] b', 11, 6],
  ['its line was changed', '- [ ] a', '- [ ] a and b', 3, undefined],
  ['it was ticked in a changed text', '- [ ] a', '- [x] a\n- [ ] b', 3, undefined],
  ['there are two of it', '- [ ] a', '- [ ] a\n\n- [ ] a', 3, undefined],
  ['there were two of it', '- [ ] a\n- [ ] a', '- [ ] a', 3, undefined],
])('a task is found in another text: %s', (_, text, other, offset, there) => {
  expect(offsetIn(other, text, offset)).toBe(there)
})
