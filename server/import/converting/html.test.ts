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
  ['<a href="/large.png"><div><img src="/a.png" alt="A"></div></a>', '![A](/a.png)'],
  [
    '<a class="kg-bookmark-container" href="https://x.example"><div class="kg-bookmark-title">X</div><img class="kg-bookmark-icon" src="i.ico"></a>',
    '[X](<https://x.example>)',
  ],
  // Callouts, toggles and players.
  ['<figure class="callout"><div>💡</div><div><p>Mind</p><p>it</p></div></figure>', '> 💡 Mind\n> \n> it'],
  ['<div class="kg-card kg-callout-card"><div>a</div></div>', '> a'],
  [
    '<details><summary>More</summary><p>in</p></details>',
    '<details>\n<summary>More</summary>\n\nin\n\n</details>',
  ],
  [
    '<div class="kg-toggle-card"><h4>More</h4><button>+</button><div><p>in</p></div></div>',
    '<details>\n<summary>More</summary>\n\nin\n\n</details>',
  ],
  ['<audio src="a.mp3"></audio><div class="kg-audio-player">0:00</div>', '![](a.mp3)'],
  // Code in its language.
  ['<div lang="de"><pre lang="python">x</pre></div>', '```python\nx\n```'],
  ['<pre data-code-block-lang="go">x</pre>', '```go\nx\n```'],
  ['<pre class="brush: php; notranslate">x</pre>', '```php\nx\n```'],
  ['<div class="language-ruby highlighter-rouge"><pre><code>x</code></pre></div>', '```ruby\nx\n```'],
  // Footnotes of Substack.
  [
    '<p>A<a class="footnote-anchor" href="#footnote-1">1</a></p><div class="footnote"><a class="footnote-number" href="#footnote-anchor-1">1</a><div><p>B</p></div></div>',
    'A[^1]\n\n[^1]: B',
  ],
])('%s becomes %j', (html, expected) => {
  expect(read(html)).toBe(expected)
})

test('a title of HTML is its words alone', () => {
  expect(wordsOf('Fish &amp; <em>chips</em> *today*', read)).toBe('Fish & chips *today*')
  expect(wordsOf('1 < 2', read)).toBe('1 < 2')
})
