import { expect, test } from 'vitest'
import { createHtmlReader, wordsOf } from './html.ts'

const read = createHtmlReader()
const tex = '<annotation encoding="application/x-tex">E=mc^2</annotation>'

test.each([
  // What Notion and blogs write for a formula: its layout twice, and how it was typed.
  [`<p>So <span class="katex"><math>${tex}</math><span>E=mc2</span></span>.</p>`, 'So $E=mc^2$.'],
  [`<span class="katex-display"><span class="katex"><math>${tex}</math>E</span></span>`, '$$\nE=mc^2\n$$'],
  [`<math display="block"><semantics><mi>E</mi>${tex}</semantics></math>`, '$$\nE=mc^2\n$$'],
  ['<math><mi>E</mi></math>', 'E'],
  // Pictures that a script would load.
  ['<img src="data:image/gif;base64,R0" data-src="/a.png" alt="A">', '![A](/a.png)'],
  ['<img data-lazy-src="https://x.example/b.png">', '![](https://x.example/b.png)'],
  ['<img srcset="c.png 2x, d.png 1x">', '![](c.png)'],
  ['<img src="e.png" data-src="f.png">', '![](e.png)'],
  // Cards, which are links around blocks.
  ['<a href="https://x.example"><div>X</div><div>About it</div></a>', '[X About it](<https://x.example>)'],
  ['<p>A <a href="b">link</a> of words</p>', 'A [link](b) of words'],
])('%s becomes %j', (html, expected) => {
  expect(read(html)).toBe(expected)
})

test('a title of HTML is its words alone', () => {
  expect(wordsOf('Fish &amp; <em>chips</em> *today*', read)).toBe('Fish & chips *today*')
  expect(wordsOf('1 < 2', read)).toBe('1 < 2')
})
