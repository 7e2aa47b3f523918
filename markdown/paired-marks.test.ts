import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const render = (content: string) =>
  renderMarkdown(content).html.replace(/^<div class="prose"><p>(.*)<\/p><\/div>$/s, '$1')

test.each([
  '3~5天，5~7天',
  '영업시간 10~20시, 휴일 11~15시',
  'It took ~5 to ~10 minutes.',
  'H~2~O',
  'a==b && c==d',
  'if (a == b) or (c == d)',
  'a ===b===',
])('%j has no marks', (content) => {
  expect(render(content)).not.toMatch(/<(?:del|mark)>/)
})

test('tildes strike out, and equals signs highlight', () => {
  expect(render('~~rye~~ ~oat~ ==wheat and *spelt*==, (==barley==)')).toBe(
    '<del>rye</del> <del>oat</del> <mark>wheat and <em>spelt</em></mark>, (<mark>barley</mark>)',
  )
})
