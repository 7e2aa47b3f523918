import { expect, test } from 'vitest'
import { picturesElsewhere, withCopies } from './addresses.ts'

test('the pictures of a text that are on websites are found, and shown from here', () => {
  const text =
    '![a \\[b\\]](//x.example/a(1).png "T") ![](<http://x.example/b.png>) <img alt="c" src="https://x.example/?c&amp;d">\n' +
    '![](/files/1) ![film](https://x.example/f.mp4) [no](https://x.example/n.png) `![](https://x.example/k.png)`\n```\n![](https://x.example/z.png)\n```'
  expect(picturesElsewhere(text)).toEqual([
    'https://x.example/a(1).png',
    'http://x.example/b.png',
    'https://x.example/?c&d',
  ])
  const copied = withCopies(text, (address) => (address.includes('b.png') ? undefined : '/files/2'))
  expect(copied.split('\n')[0]).toBe(
    '![a \\[b\\]](/files/2 "T") ![](<http://x.example/b.png>) <img alt="c" src="/files/2">',
  )
  expect(copied.split('\n').slice(1)).toEqual(text.split('\n').slice(1))
})

test('a picture behind many signs of code is found', () => {
  expect(picturesElsewhere(`a${'`'.repeat(20_000)} ![](https://x.example/a.png)`)).toEqual([
    'https://x.example/a.png',
  ])
})
