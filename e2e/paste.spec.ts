import path from 'node:path'
import { build } from 'vite'
import { createJournal } from '#testing/journal.ts'
import { copied as others } from './fixtures/copied.ts'
import { expectContent, paste } from './fixtures/editor.ts'
import { uploadsDone } from './fixtures/files.ts'
import { expect, test } from './fixtures/journey.ts'

const docs = (html: string) =>
  `<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1">${html}</b>`

/** HTML as programs put it on the clipboard, and the Markdown that says the same. */
const basics: [program: string, html: string, markdown: string][] = [
  [
    'Google Docs',
    docs(
      '<p><span style="font-weight:700">Rye</span><span style="text-decoration:line-through">no</span></p><ul><li><p>a</p></li><ul><li><p>b</p></li></ul></ul>',
    ),
    '**Rye**~~no~~\n\n- a\n  - b',
  ],
  [
    'Slack',
    '<b>Fed</b><ul data-indent="0"><li>a</li></ul><ul data-indent="1"><li>b</li></ul><ul data-indent="2"><li>c</li></ul><ul data-indent="1"><li>d</li></ul><ul data-indent="0"><li>e</li></ul>',
    '**Fed**\n\n- a\n  - b\n    - c\n  - d\n- e',
  ],
  [
    'a chat',
    '<span style="white-space:pre-wrap">one\ntwo <b>b</b>\n\nthree</span>',
    'one\ntwo **b**\n\nthree',
  ],
  [
    'Visual Studio Code',
    '<div style="font-family: Menlo, monospace;font-weight: normal;white-space: pre;"><div><span style="color:#00f">if</span><span> (a)</span></div><div><span>  b(*c)</span></div><br><div>d</div></div>',
    '```\nif (a)\n  b(*c)\n\nd\n```',
  ],
  [
    'KaTeX',
    '<p>It is <span class="katex"><span class="katex-mathml"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">a_1 * b^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">a1</span></span>.</p><span class="katex-display"><span class="katex"><math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></span></span>',
    'It is $a_1 * b^2$.\n\n$$\nx\n$$',
  ],
  [
    'Wikipedia',
    '<p>So <math alttext="{\\displaystyle x}"><mi>x</mi></math> is.</p>',
    'So ${\\displaystyle x}$ is.',
  ],
  ['a page', '<p>Type ~~a~~ or ~5</p><p>~5 h</p>', 'Type \\~\\~a\\~\\~ or \\~5\n\n~5 h'],
  ['a page', '<p>a<br>b<br><br>c</p>', 'a\nb\n\nc'],
  [
    'a page',
    '<details><summary>Parts</summary><p>Wood</p></details>',
    '<details>\n<summary>Parts</summary>\n\nWood\n\n</details>',
  ],
  ['a page', '<b><p>a</p><ul><li>b</li></ul>c</b>', '**a**\n\n- **b**\n\n**c**'],
  [
    'a card',
    '<a href="https://a.example"><img src="https://a.example/a.png" alt="A"><h3>Rye</h3><p>Bread <i>a</i></p></a>',
    '[![A](https://a.example/a.png)](https://a.example)\n\n### [Rye](https://a.example)\n\n[Bread *a*](https://a.example)',
  ],
  ['a page', 'a<a href="https://a.example/#a"></a><em><strong><p>b</p></strong></em>', 'a\n\n***b***'],
  [
    'a newsletter',
    '<table><tr><td><table><tr><td><h1>News</h1></td></tr></table></td><td>of <b>rye</b></td></tr></table>',
    '# News\n\nof **rye**',
  ],
  [
    'a chat with code',
    '<pre><div>python</div><div><button>Copy code</button></div><div><code class="language-python">a\n  b</code></div></pre>',
    '```python\na\n  b\n```',
  ],
  [
    'mail',
    'Done <img src="https://a.example/1f389.png" alt="🎉"> <img src="https://a.example/h.png" alt="❤️">',
    'Done 🎉 ❤️',
  ],
  [
    'a page',
    '<p>H<sub>2</sub>O, <kbd>Ctrl</kbd> <mark class="y">x</mark> <u>y</u> <a href="https://a.example"><u>z</u></a></p>',
    'H<sub>2</sub>O, <kbd>Ctrl</kbd> <mark>x</mark> <u>y</u> [z](https://a.example)',
  ],
  [
    'a page about HTML',
    '<p>Write &lt;br&gt; or &lt;b&gt;a&lt;/b&gt; or &lt;!-- a --&gt;, 1 &lt; 2</p>',
    'Write \\<br> or \\<b>a\\</b> or \\<!-- a -->, 1 < 2',
  ],
  [
    'a table with lines in its cells',
    '<table><tr><th>a</th></tr><tr><td>b<br>c<ul><li>d</li><li>e</li></ul></td></tr></table>',
    '| a |\n| --- |\n| b<br>c<br>- d<br>- e |',
  ],
  [
    'a table with joined cells',
    '<table><tr><th colspan="2">a</th><th>b</th></tr><tr><td rowspan="2">c</td><td>d</td><td>e</td></tr><tr><td>f</td></tr></table>',
    '| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f |  |',
  ],
  [
    'Word, below another paragraph',
    '<p class=MsoListParagraph style="mso-list:l1 level1 lfo2"><span style="mso-list:Ignore">3.<span>&nbsp; </span></span>Third</p><p class=MsoListParagraph style="mso-list:l1 level2 lfo2"><span style="mso-list:Ignore">o<span>&nbsp; </span></span>Sub</p>',
    '3. Third\n   - Sub',
  ],
  [
    'Word on the web',
    '<div class="ListContainerWrapper"><ul><li data-aria-level="1"><p><span>One</span><span class="EOP">&nbsp;</span></p></li></ul></div><div class="ListContainerWrapper"><ul><li data-aria-level="2"><p>Sub</p></li></ul></div><div class="ListContainerWrapper"><ul><li data-aria-level="1"><p>Two</p></li></ul></div>',
    '- One\n  - Sub\n- Two',
  ],
  [
    'one line of Visual Studio Code',
    '<div style="font-family: Consolas, monospace;white-space: pre;"><div><span style="color:#00f">const</span> a_b</div></div>',
    '`const a_b`',
  ],
  ['Slack', 'Done <img src="https://a.example/t.png" alt=":tada:">', 'Done :tada:'],
  [
    'Google Docs, whose pictures have addresses for some minutes',
    docs('<p>a <img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXe?key=x"></p>'),
    'a',
  ],
  [
    'GitHub',
    '<div class="highlight highlight-source-js"><pre><span>const</span> a</pre><clipboard-copy><svg></svg></clipboard-copy></div><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked> done</li></ul><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>Careful</p><p>Slow</p></div>',
    '```js\nconst a\n```\n\n- [x] done\n\n> [!NOTE]\n> Careful\n> \n> Slow',
  ],
  [
    'a chat whose code has its language above',
    '<p>Here:</p><div><div><button>Copy</button></div><div>python</div><div><pre><code class="language-python">x = 1</code></pre></div></div>',
    'Here:\n\n```python\nx = 1\n```',
  ],
  [
    'Notion, whose tasks are words',
    '<ul><li>[x]  done</li><li>[ ]  open</li></ul>',
    '- [x] done\n- [ ] open',
  ],
  [
    'Confluence',
    '<ul class="inline-task-list"><li class="checked">done</li><li><span>open</span></li></ul>',
    '- [x] done\n- [ ] open',
  ],
  [
    'Evernote',
    '<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>done</div></li><li style="--en-checked:false;"><div>open</div></li></ul>',
    '- [x] done\n- [ ] open',
  ],
  ['a page whose list is not one of tasks', '<ul><li class="checked">a</li></ul>', '- a'],
  [
    'Excel with a filter',
    '<table><tr><td>a</td></tr><tr style="display:none"><td>b</td></tr><tr><td>c</td></tr></table><p>d<span style="mso-hide:all">e</span></p>',
    '| a |\n| --- |\n| c |\n\nd',
  ],
  [
    'Wikipedia, a section',
    '<h2>History<span class="mw-editsection">[<a href="https://a.example/?action=edit">edit</a>]</span></h2><table><caption>Woods</caption><tr><td>a</td><td>b</td></tr></table><p><q>Oak</q></p>',
    '## History\n\nWoods\n\n| a | b |\n| --- | --- |\n\n“Oak”',
  ],
  [
    'Milepost and GitHub, footnotes and callouts',
    '<p>a<sup><a href="https://a.example/x#user-content-fn-1" data-footnote-ref>1</a></sup></p><blockquote class="callout" data-callout="tip"><p class="callout-title"><strong>Tip</strong></p><p>b</p></blockquote><section class="footnotes"><h2 class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1"><p>note <a href="#user-content-fnref-1">↩</a></p></li></ol></section>',
    'a[^1]\n\n> [!TIP]\n> b\n\n[^1]: note',
  ],
  [
    'Google Sheets, whose numbers are on the right',
    '<table><tr><td style="text-align: center">a</td><td>b</td></tr><tr><td>c</td><td style="font-weight:normal;text-align:right">2</td></tr></table>',
    '| a | b |\n| :---: | ---: |\n| c | 2 |',
  ],
  [
    'a page with a video',
    '<p>See</p><iframe src="//www.youtube.com/embed/dQw4w9WgXcQ?rel=0"></iframe><iframe src="javascript:alert(1)"></iframe>',
    'See\n\n[https://www.youtube.com/watch?v=dQw4w9WgXcQ](https://www.youtube.com/watch?v=dQw4w9WgXcQ)',
  ],
  [
    'a table that claims to be huge',
    '<table><tr><td colspan="1000" rowspan="65534">a</td><td>b</td></tr></table>',
    `| a |${'  |'.repeat(199)}\n|${' --- |'.repeat(200)}`,
  ],
]

const copied = [...basics, ...others]

test('what has no text is pasted as Markdown at once, and the pictures within it are added as files', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  const content = page.getByLabel('Content')
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await paste(content, { 'text/html': '<p>one <b>two</b></p>' })
  await expectContent(content, 'one **two**')
  await paste(content, { 'text/html': `<img src="data:image/png;base64,${dot}">` })
  await uploadsDone(page)
  await expect(page.getByRole('figure')).toHaveCount(1)
})

test('what other programs copy is pasted as the Markdown that says the same', { tag: '@long' }, async ({
  page,
}) => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['development', 'browser'] },
    build: {
      write: false,
      lib: {
        entry: path.resolve('web/composer/text/paste/html-to-markdown.ts'),
        formats: ['iife'],
        name: 'paste',
      },
    },
  })
  const [result] = [built].flat()
  const code = result && 'output' in result ? result.output[0].code : ''
  await page.goto('about:blank')
  await page.addScriptTag({ content: code })
  const converted = await page.evaluate(
    (all) =>
      all.map((html) =>
        (window as unknown as { paste: { htmlToMarkdown: (html: string) => string } }).paste.htmlToMarkdown(
          html,
        ),
      ),
    [...copied, ['', '<div>'.repeat(100_000)] as const].map(([, html]) => html),
  )
  expect(converted.pop(), 'a page that takes a browser long to parse').toBeNull()
  for (const [index, [program, , markdown]] of copied.entries())
    expect(converted[index], program).toBe(markdown)
  const left = await page.evaluate(() =>
    (window as unknown as { paste: { picturesLeft: (html: string) => number } }).paste.picturesLeft(
      '<p>a<img src="file:///C:/clip_image001.png"><img src="cid:1"><img src="https://a.example/a.png"><img aria-roledescription="checkbox" src="data:image/png;base64,A"></p>' +
        '<img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXe?key=x"><img src="https://prod-files-secure.s3.us-west-2.amazonaws.com/a.png?X-Amz-Expires=3600&X-Amz-Signature=1">',
    ),
  )
  expect(left).toBe(4)
})
