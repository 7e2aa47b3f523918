type Example = [number: number, markdown: string, html: string]

/** The examples of the extensions in GitHub's specification (version 0.29), by their numbers there. */
export const GFM_EXAMPLES: Example[] = [
  // Tables
  [
    198,
    '| foo | bar |\n| --- | --- |\n| baz | bim |',
    '<table>\n<thead>\n<tr>\n<th>foo</th>\n<th>bar</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>baz</td>\n<td>bim</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    199,
    '| abc | defghi |\n:-: | -----------:\nbar | baz',
    '<table>\n<thead>\n<tr>\n<th align="center">abc</th>\n<th align="right">defghi</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">bar</td>\n<td align="right">baz</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    200,
    '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |',
    '<table>\n<thead>\n<tr>\n<th>f|oo</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b <code>|</code> az</td>\n</tr>\n<tr>\n<td>b <strong>|</strong> im</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    201,
    '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar',
    '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>bar</td>\n<td>baz</td>\n</tr>\n</tbody>\n</table>\n<blockquote>\n<p>bar</p>\n</blockquote>',
  ],
  [
    202,
    '| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar',
    '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>bar</td>\n<td>baz</td>\n</tr>\n<tr>\n<td>bar</td>\n<td></td>\n</tr>\n</tbody>\n</table>\n<p>bar</p>',
  ],
  [203, '| abc | def |\n| --- |\n| bar |', '<p>| abc | def |\n| --- |\n| bar |</p>'],
  [
    204,
    '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |',
    '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>bar</td>\n<td></td>\n</tr>\n<tr>\n<td>bar</td>\n<td>baz</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    205,
    '| abc | def |\n| --- | --- |',
    '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n</table>',
  ],
  // Tasks
  [
    279,
    '- [ ] foo\n- [x] bar',
    '<ul>\n<li><input disabled="" type="checkbox"> foo</li>\n<li><input checked="" disabled="" type="checkbox"> bar</li>\n</ul>',
  ],
  [
    280,
    '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim',
    '<ul>\n<li><input checked="" disabled="" type="checkbox"> foo\n<ul>\n<li><input disabled="" type="checkbox"> bar</li>\n<li><input checked="" disabled="" type="checkbox"> baz</li>\n</ul>\n</li>\n<li><input disabled="" type="checkbox"> bim</li>\n</ul>',
  ],
  // Strikethrough
  [491, '~~Hi~~ Hello, ~there~ world!', '<p><del>Hi</del> Hello, <del>there</del> world!</p>'],
  [492, 'This ~~has a\n\nnew paragraph~~.', '<p>This ~~has a</p>\n<p>new paragraph~~.</p>'],
  [493, 'This will ~~~not~~~ strike.', '<p>This will ~~~not~~~ strike.</p>'],
  // Autolinks
  [622, 'www.commonmark.org', '<p><a href="http://www.commonmark.org">www.commonmark.org</a></p>'],
  [
    623,
    'Visit www.commonmark.org/help for more information.',
    '<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a> for more information.</p>',
  ],
  [
    624,
    'Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.',
    '<p>Visit <a href="http://www.commonmark.org">www.commonmark.org</a>.</p>\n<p>Visit <a href="http://www.commonmark.org/a.b">www.commonmark.org/a.b</a>.</p>',
  ],
  [
    625,
    'www.google.com/search?q=Markup+(business)\n\nwww.google.com/search?q=Markup+(business)))\n\n(www.google.com/search?q=Markup+(business))\n\n(www.google.com/search?q=Markup+(business)',
    '<p><a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a></p>\n<p><a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>))</p>\n<p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>)</p>\n<p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a></p>',
  ],
  [
    626,
    'www.google.com/search?q=(business))+ok',
    '<p><a href="http://www.google.com/search?q=(business))+ok">www.google.com/search?q=(business))+ok</a></p>',
  ],
  [
    627,
    'www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;',
    '<p><a href="http://www.google.com/search?q=commonmark&amp;hl=en">www.google.com/search?q=commonmark&amp;hl=en</a></p>\n<p><a href="http://www.google.com/search?q=commonmark">www.google.com/search?q=commonmark</a>&amp;hl;</p>',
  ],
  [
    628,
    'www.commonmark.org/he<lp',
    '<p><a href="http://www.commonmark.org/he">www.commonmark.org/he</a>&lt;lp</p>',
  ],
  [
    629,
    'http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))',
    '<p><a href="http://commonmark.org">http://commonmark.org</a></p>\n<p>(Visit <a href="https://encrypted.google.com/search?q=Markup+(business)">https://encrypted.google.com/search?q=Markup+(business)</a>)</p>',
  ],
  [630, 'foo@bar.baz', '<p><a href="mailto:foo@bar.baz">foo@bar.baz</a></p>'],
  [
    631,
    "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
    `<p>hello@mail+xyz.example isn't valid, but <a href="mailto:hello+xyz@mail.example">hello+xyz@mail.example</a> is.</p>`,
  ],
  [
    632,
    'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_',
    '<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a></p>\n<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a>.</p>\n<p>a.b-c_d@a.b-</p>\n<p>a.b-c_d@a.b_</p>',
  ],
  [
    633,
    'mailto:foo@bar.baz\n\nmailto:a.b-c_d@a.b\n\nxmpp:foo@bar.baz',
    '<p><a href="mailto:foo@bar.baz">mailto:foo@bar.baz</a></p>\n<p><a href="mailto:a.b-c_d@a.b">mailto:a.b-c_d@a.b</a></p>\n<p><a href="xmpp:foo@bar.baz">xmpp:foo@bar.baz</a></p>',
  ],
]
