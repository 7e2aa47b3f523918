import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFromHtml } from './from-html.ts'
import { renderMarkdown } from './render.ts'

const markdownOf = (html: string) => createFromHtml().turndown(html)

test.each([
  ['<p><b>Name:</b>value</p>', '<strong>Name:</strong>value'],
  ['<p>Das<b>„Wort“</b>ist</p>', 'Das<strong>„Wort“</strong>ist'],
  ['<p><b>重要：</b>です</p>', '**重要：**です'],
  ['<p>a<b> b. </b>c</p>', 'a **b.** c'],
  ['<p><b>a<br><br>b</b></p>', '**a**\n\n**b**'],
  ['<p><a href="https://a.example"><em>(a)</em></a>b</p>', '[<em>(a)</em>](https://a.example)b'],
  ['<h2><br></h2><h2>a<br>b</h2><h3>C #</h3>', '## a b\n\n### C \\#'],
  ['<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>', '3. a\n4. b\n   - c'],
  ['<ol start="0"><li>a</li><li>b</li></ol>', '0. a\n1. b'],
  ['<ol><li value="7">a</li><li>b</li></ol>', '7. a\n8. b'],
  ['<ol start="-3"><li>a</li></ol>', '1. a'],
  ['<p>&lt;details&gt;</p>', '\\<details>'],
  ['<p>&amp;lt; &amp;#38; AT&amp;T &amp; b; <code>&amp;lt;</code></p>', '\\&lt; \\&#38; AT&T & b; `&lt;`'],
  ['<p>~~~ a</p><p>1) b</p>', '\\~\\~\\~ a\n\n1\\) b'],
  ['<p>a ==b== c</p>', 'a \\==b== c'],
  [
    '<table><tr><th>a</th></tr><tr><td><pre><code>b | c\nd</code></pre></td></tr></table>',
    '| a |\n| --- |\n| `b \\| c`<br>`d` |',
  ],
])('%s becomes %j', (html, markdown) => {
  expect(markdownOf(html)).toBe(markdown)
})

const words = fc.array(fc.constantFrom(...'ab1äя重 ですは「」：，.,:;!?()[]*_"\'„“-€😀 '), {
  minLength: 1,
  maxLength: 4,
})
const escaped = (text: string[]) =>
  text.join('').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

test('what is emphasized stays so, whatever is beside it', () => {
  fc.assert(
    fc.property(words, words, words, fc.constantFrom('strong', 'em', 'del'), (before, inside, after, tag) => {
      fc.pre(inside.join('').trim() !== '')
      const html = `<p>x${escaped(before)}<${tag}>${escaped(inside)}</${tag}>${escaped(after)}x</p>`
      const markdown = markdownOf(html)
      expect([html, markdown, renderMarkdown(markdown).html.split(`<${tag}>`).length]).toEqual([
        html,
        markdown,
        2,
      ])
    }),
    { numRuns: 3_000 },
  )
})
