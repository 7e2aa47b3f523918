import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const targets = (content: string) =>
  Array.from(renderMarkdown(content).html.matchAll(/href="([^"]*)"/g), ([, url]) => url)

test.each([
  ['<a href="https://bread.example/a">rye</a>', 'https://bread.example/a'],
  ['{"url":"https://bread.example/a","b":1}', 'https://bread.example/a'],
  ['https://bread.example/a>b', 'https://bread.example/a'],
  ['https://bread.example—it rises', 'https://bread.example'],
  ['https://bread.example/a—it rises', 'https://bread.example/a'],
  ['https://bread.example–it rises', 'https://bread.example'],
  ['https://bread.example/Flour–water', 'https://bread.example/Flour%E2%80%93water'],
  ['\u202ahttps://bread.example/a\u202c', 'https://bread.example/a'],
  ['https://bread.example/a\u200b, and', 'https://bread.example/a'],
  ['https://bücher.example/straße', 'https://xn--bcher-kva.example/stra%C3%9Fe'],
  ['[a](http://me@Bücher.example:80/x)', 'http://me@xn--bcher-kva.example:80/x'],
  ['[a](https://ü ber.example)', 'https://xn--tda'],
])('the address in %j is %s', (content, expected) => {
  expect(targets(content)).toEqual([expected])
})
