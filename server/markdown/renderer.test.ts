import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, expect, test } from 'vitest'
import { HTML_MAX, renderMarkdown } from '#markdown/render.ts'
import { hostileTexts } from '#markdown/testing/hostile.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { createRenderer, type Renderer } from './renderer.ts'

const log = pino({ level: 'silent' })
const usual = createRenderer(log)
let other: Renderer | undefined

afterEach(() => other?.close())
afterAll(() => usual.close())

const ada = clientNamed('ada')

/** Every third of the texts, and all in `npm run test:all`. */
const sample = hostileTexts
  .filter(({ size }) => size === 10_000)
  .filter((_, index) => process.env.MILEPOST_TESTS === 'all' || index % 3 === 0)

test('a text is rendered in another process, with the same result as in this one', async () => {
  const content = '# Bread\n\nIt **rose**, 面包 \u{1f35e}.'
  expect(await usual.render(ada, content)).toEqual(renderMarkdown(content))
})

test('a text that exceeds the time limit is plain, and the next text is rendered', async () => {
  other = createRenderer(log, { attemptsMs: [1, 1], heapMegabytes: 192, idleMs: 60_000 })
  const slow = '['.repeat(200_000)
  expect(await other.render(ada, slow)).toMatchObject({
    renderedAs: 'plain',
    excerpt: expect.stringMatching(/^\[{279}…$/),
  })
  expect(await usual.render(ada, 'It *rose*.')).toMatchObject({ renderedAs: 'markdown' })
})

test('a text that exceeds the memory limit is plain, and others are rendered between its attempts', async () => {
  other = createRenderer(log, { attemptsMs: [20_000, 20_000], heapMegabytes: 40, idleMs: 60_000 })
  const ended: string[] = []
  const renderFor = async (renderer: Renderer, person: string, content: string) => {
    const { renderedAs } = await renderer.render(clientNamed(person), content)
    ended.push(`${person}: ${renderedAs}`)
  }
  await Promise.all([renderFor(other, 'ada', '*a*'.repeat(66_000)), renderFor(other, 'grace', 'It *rose*.')])
  expect(ended).toEqual(['grace: markdown', 'ada: plain'])
})

test('a text whose process is killed from outside is reported as unavailable, not as an internal error', async () => {
  other = createRenderer(log)
  const rendered = other.render(ada, '*a*'.repeat(66_000))
  // The queue starts its task a moment later.
  await setImmediate()
  await Promise.all([expect(rendered).rejects.toMatchObject({ code: 'unavailable' }), other.close()])
})

test('after an idle time, another process renders the next text', async () => {
  other = createRenderer(log, { attemptsMs: [20_000], heapMegabytes: 192, idleMs: 1 })
  const texts = ['one', 'two', 'three']
  for (const text of texts) expect(await other.render(ada, text)).toMatchObject({ excerpt: text })
})

test.each(sample)('$name: is rendered as formatted or plain text, within the limits', async ({ content }) => {
  const { html, excerpt } = await usual.render(ada, content)
  expect(html.length).toBeLessThanOrEqual(HTML_MAX + 100)
  expect(html).toMatch(/^<(?:div|p) class="prose/)
  expect([...excerpt].length).toBeLessThanOrEqual(280)
})

test('the corpus of hostile texts is large', () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(120)
})

test('a person who saves one text is not refused because of others who save hundreds', async () => {
  const shared = createRenderer(log)
  other = shared
  // The start of the process would count towards how long the texts wait.
  await shared.render(ada, 'first')
  const many = Array.from({ length: 5 * 50 }, (_, number) =>
    shared.render(clientNamed(`${number % 5}`), 'many'),
  )
  const outcomes = Promise.allSettled(many)
  await expect(shared.render(ada, 'one')).resolves.toMatchObject({ excerpt: 'one' })
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
})
