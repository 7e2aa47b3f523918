import { tests as written } from 'commonmark-spec'
import { expect, test } from 'vitest'
import { renderMarkdown } from './render.server.tsx'

type Replacement = [RegExp, string]

const replaced = (text: string, replacements: Replacement[]) =>
  replacements.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)

/** What our pages add to the HTML of CommonMark, taken away again; nothing else is forgiven. */
const ours: Replacement[] = [
  [/^<div class="prose">([^]*)<\/div>$/, '$1'],
  // Headings start below the page's own h1 and skip no level.
  [/<h[2-6] data-depth="(\d)">([^]*?)<\/h[2-6]>/g, '<h$1>$2</h$1>'],
  // Links to elsewhere are marked as written by a user.
  [/ rel="nofollow ugc noopener"(?=[^<]*>)/g, ''],
  // Paper shows an address but once.
  [/ data-bare="true"(?=[^<]*>)/g, ''],
  // Images come late and tell nobody who looks at them.
  [/ loading="lazy" decoding="async" referrerPolicy="no-referrer"(?=[^<]*>)/g, ''],
  // Code scrolls by itself, also by the keyboard.
  [/<pre role="group" aria-label="Code" tabindex="0">/g, '<pre>'],
]

/** Two spellings of the same HTML. */
const spellings: Replacement[] = [
  [/ ?\/>/g, '>'],
  [/&quot;/g, '"'],
  [/&#x27;/g, "'"],
]

const unescaped: Replacement[] = [[/&lt;/g, '<'], [/&gt;/g, '>'], [/&amp;/g, '&'], ...spellings]

const withTabs = (text: string) => text.replaceAll('→', '\t')

const examples = written.map(({ number, markdown, html }) => {
  const rendered = renderMarkdown(withTabs(markdown))
  return {
    number,
    rendered,
    answered: replaced(replaced(rendered, ours).trim(), spellings),
    specified: replaced(withTabs(html).trim(), spellings),
  }
})

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, step) => from + step)
const among = (numbers: number[]) => examples.filter(({ number }) => numbers.includes(number))

/** Raw HTML is never rendered: it shows as the text that it is, whatever surrounds it. */
const RAW_HTML = [21, 31, range(148, 191), 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536]
  .concat(range(613, 617), 623, range(625, 631), 642, 643)
  .flat()

/** Links lead to http, https, irc, ircs, mailto, xmpp or a relative address; what precedes a colon counts as a scheme. */
const BLANKED_SCHEMES = [500, 598, 599, 601]

/** GitHub's Markdown makes a link of an address that stands bare in the text. */
const BARE_ADDRESSES = [602, 606, 608, 611, 612]

test('all examples are there', () => {
  expect(examples.map(({ number }) => number)).toEqual(range(1, 652))
})

test('every example has the HTML of CommonMark, but for those listed', () => {
  const different = examples.filter(({ answered, specified }) => answered !== specified)
  expect(different.map(({ number }) => number)).toEqual(
    [...RAW_HTML, ...BLANKED_SCHEMES, ...BARE_ADDRESSES].sort((a, b) => a - b),
  )
})

test.each(among(RAW_HTML))(
  'the raw HTML of example $number is text, and all else as specified',
  (example) => {
    expect(replaced(example.answered, unescaped)).toBe(replaced(example.specified, unescaped))
  },
)

test.each(among(BLANKED_SCHEMES))(
  'the link of example $number is as specified, but leads nowhere',
  (example) => {
    expect(example.answered).toBe(example.specified.replace(/href="[^"]*"/, 'href=""'))
  },
)

test.each(among(BARE_ADDRESSES))(
  'the address in example $number is a link, and all else as specified',
  (example) => {
    expect(example.answered.replace(/<a href="(?:mailto:)?([^"]*)">\1<\/a>/, '$1')).toBe(example.specified)
  },
)

test('no example brings an element or an attribute that Markdown does not have', () => {
  const elements = new Set<string>()
  const attributes = new Set<string>()
  for (const { rendered } of examples) {
    for (const [, name = '', written = ''] of rendered.matchAll(/<([^\s/>]+)((?:[^>"]|"[^"]*")*)>/g)) {
      elements.add(name)
      for (const [, attribute = ''] of written.matchAll(/([^\s"=/]+)(?:="[^"]*")?/g))
        attributes.add(attribute)
    }
  }
  expect([...elements].sort()).toEqual(
    'a blockquote br code div em h2 h3 h4 h5 h6 hr img li ol p pre strong ul'.split(' '),
  )
  expect([...attributes].sort()).toEqual(
    'alt aria-label class data-bare data-depth decoding href loading referrerPolicy rel role src start tabindex title'.split(
      ' ',
    ),
  )
})
