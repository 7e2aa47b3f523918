import { describe, expect, it } from 'vitest'
import { splitPage } from '#server/import/notion/pages.ts'
import { htmlOfContent } from '#server/import/wordpress/content.ts'
import { createHtmlReader } from './html.ts'

const read = createHtmlReader()
const ofWordPress = (content: string) => read(htmlOfContent(content, new Map()))

describe('a post of WordPress', () => {
  it('keeps its code as it is written, whatever is in it', () => {
    expect(ofWordPress('Before\n\n[code language="php"]\n$a = "<b>";\n\n$b = 1;\n[/code]\n\nAfter')).toBe(
      'Before\n\n```php\n$a = "<b>";\n\n$b = 1;\n```\n\nAfter',
    )
    expect(ofWordPress('[sourcecode]a &lt; b &amp; c[/sourcecode]')).toBe('```\na < b & c\n```')
    const shortcodes = '[gallery ids="1"] [caption]x[/caption] [vc_row] [youtube https://youtu.be/x]'
    expect(ofWordPress(`[code]${shortcodes}[/code]`)).toBe(`\`\`\`\n${shortcodes}\n\`\`\``)
  })

  it('has the films and pictures that shortcodes name', () => {
    expect(ofWordPress('[youtube https://youtu.be/x]')).toContain('(https://youtu.be/x)')
    const divi =
      '[et_pb_row][et_pb_image src="https://b.example/a.png" alt="x"][/et_pb_image][et_pb_text]<p>Words</p>[/et_pb_text][/et_pb_row]'
    expect(ofWordPress(divi)).toBe('![](https://b.example/a.png)\n\nWords')
  })

  it('is read in a moment, however many beginnings have no end', () => {
    const hostile = '[code]'.repeat(200_000)
    expect(htmlOfContent(`<p>${hostile}`, new Map())).toContain('[code][code]')
  })
})

it('a callout of Notion is a quote', () => {
  const item = { path: 'Boat.md', size: 0, modifiedAt: new Date(0), open: () => Promise.reject(new Error()) }
  const { text } = splitPage(
    '# Boat\n\n<aside>\n💡 Mind\n\nthe gap\n\n</aside>\n\nEnd\n\n<aside>\nopen',
    item,
  )
  expect(text).toBe('> 💡 Mind\n> \n> the gap\n\nEnd\n\n<aside>\nopen')
})

it('preformatted text of a page is code, with a fence that is longer than any in it', () => {
  expect(read('<p>A</p><pre>one<br>  <b>two</b> &lt;x&gt;</pre>')).toBe('A\n\n```\none\n  two <x>\n```')
  expect(read('<pre>```\na\n```</pre>')).toBe('````\n```\na\n```\n````')
  expect(read(`<pre>${'``` a\n'.repeat(200_000)}</pre>`)).toMatch(/^````\n/)
})

it.each([
  ['<pre><code>one</code>\n<code>two</code></pre>', '```\none\ntwo\n```'],
  ['<pre>one\n<code>two</code>\nthree</pre>', '```\none\ntwo\nthree\n```'],
  ['<pre><code class="language-js">one</code>\n</pre>', '```js\none\n```'],
  ['<pre><code class="x language-c++">one<br>two</code></pre>', '```c++\none\ntwo\n```'],
])('no line of code is lost, however many elements it has: %s', (html, markdown) => {
  expect(read(html)).toBe(markdown)
})
