import { expect, test } from 'vitest'
import { readingMinutes } from './reading-time.ts'

test.each([
  ['nothing', '', 1],
  ['a line', 'The first loaf rose.', 1],
  ['a page', 'bread '.repeat(440), 2],
  ['a page of marks', `${'* - | '.repeat(2_000)} bread`, 1],
  ['a page of Chinese', '面包'.repeat(750), 3],
  ['a page of Korean', '빵을 구웠다 '.repeat(200), 2],
  ['hyphens and apostrophes', "it's-one ".repeat(220), 1],
])('%s takes its time', (_, text, minutes) => {
  expect(readingMinutes(text)).toBe(minutes)
})

test('the longest text is measured at once', () => {
  const started = performance.now()
  readingMinutes('x'.repeat(200_000))
  readingMinutes('字'.repeat(200_000))
  expect(performance.now() - started).toBeLessThan(500)
})
