import { expect, test } from 'vitest'
import { relink } from './links.ts'

const picture = { ref: 'p', name: 'a b.png', isPicture: true }
const find = {
  file: (path: string) => (path === 'a b.png' ? picture : undefined),
  entry: (path: string) => (/^(?:\.\.[\\/])?b\.md$/.test(path) ? '/e/b' : undefined),
}

test.each([
  ['[pic]: <a b.png> "The keel"', '[pic]: /files/p "The keel"'],
  ['[next]: b.md', '[next]: /e/b'],
  ['[^1]: b.md', '[^1]: b.md'],
  ['[elsewhere]: https://x.example', '[elsewhere]: https://x.example'],
  [
    '[![A](a%20b.png "T")](b.md) and [![A](a%20b.png)](https://x.example)',
    '[![A](/files/p "T")](/e/b) and [![A](/files/p)](https://x.example)',
  ],
  ['[b](..\\b.md)', '[b](/e/b)'],
  [
    '![[a b.png|The keel|200x100]] ![[a b.png|200]] ![[a b.png|The keel]]',
    '![The keel](/files/p) ![](/files/p) ![The keel](/files/p)',
  ],
])('%j becomes %j', (text, expected) => {
  expect(relink(text, find)).toBe(expected)
})
