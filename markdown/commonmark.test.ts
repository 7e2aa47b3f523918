import { tests as written } from 'commonmark-spec'
import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'
import { normalized, removeAdditions } from './testing/normalize.ts'

const withTabs = (text: string) => text.replaceAll('→', '\t')

const examples = written.map(({ number, markdown, html }) => {
  const source = withTabs(markdown)
  const { html: rendered } = renderMarkdown(source)
  return {
    number,
    source,
    rendered,
    answered: removeAdditions(rendered),
    specified: normalized(withTabs(html)),
  }
})

const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, step) => from + step)

const KNOWN_HTML = new Map([
  [159, '<p>&lt;div&gt;<a href="bar"><em>foo</em></a>&lt;/div&gt;</p>'],
  [162, '<p><a href="foo">\n<em>bar</em>\n</a></p>'],
  [166, '<p><del>\n<em>foo</em>\n</del></p>'],
  [177, '<p><em>bar</em>\n<em>baz</em></p>'],
  [616, `<p>&lt;a foo="bar" bam = 'baz <em>"</em>'\n_boolean zoop:33=zoop:33 /&gt;</p>`],
])

/** Every intended difference from CommonMark, with the expected result of its examples. */
const DIFFERENCES = [
  {
    reason: 'a comment is not shown',
    numbers: [179, 183, 308, 309, 625, 626],
    expected: ({ specified }: Example) => specified.replace(/<!--(?:-?>|[^]*?-->)\n?/g, ''),
  },
  {
    reason: 'what follows a comment on its line, and what is between known tags, is Markdown',
    numbers: [159, 162, 166, 177, 616],
    expected: ({ number }: Example) => KNOWN_HTML.get(number) ?? '',
  },
  {
    reason: 'other HTML is text, and all else as specified',
    numbers: [187, 201, 491, 494, 613, 623, ...range(627, 629)],
    expected: ({ answered, specified }: Example) =>
      unescaped(answered) === unescaped(specified) ? answered : specified,
  },
  {
    reason:
      'where other HTML would end what is Markdown, it renders as if each < had been written as an entity',
    numbers: [
      21,
      31,
      ...range(148, 158),
      160,
      161,
      ...range(163, 165),
      167,
      ...range(169, 176),
      178,
      ...range(180, 182),
      ...range(184, 186),
      ...range(188, 191),
      344,
      476,
      477,
    ]
      .concat(524, 536, [614, 615, 617], 630, 631, 642, 643)
      .flat(),
    expected: ({ source }: Example) =>
      removeAdditions(renderMarkdown(source.replaceAll('<', '&lt;')).html).replaceAll('&amp;lt;', '&lt;'),
  },
  {
    reason: 'of the tag of a picture, its address and its alternative text are read',
    numbers: [475],
    expected: ({ specified }: Example) => specified.replace('title="*"', 'alt=""'),
  },
  {
    reason: 'a link to a scheme that is not allowed leads nowhere; what precedes a colon counts as a scheme',
    numbers: [500, 598, 599, 601],
    expected: ({ specified }: Example) => specified.replace(/ href="[^"]*"/, ''),
  },
  {
    reason: 'a link without a target leads nowhere, instead of to the page that it is on',
    numbers: [200, ...range(485, 487), 567],
    expected: ({ specified }: Example) => specified.replace(' href=""', ''),
  },
  {
    reason: 'a link without words shows its target',
    numbers: [484],
    expected: ({ specified }: Example) => specified.replace('></a>', '>./target.md</a>'),
  },
  {
    reason: 'a bare URL in the text is a link, as on GitHub',
    numbers: [602, 608, 611, 612],
    expected: ({ specified }: Example) =>
      specified
        .replace(/https:[^\s<&]+/, (address) => `<a href="${address}">${address}</a>`)
        .replace(/foo@[\w.]+/, (address) => `<a href="mailto:${address}">${address}</a>`),
  },
]
type Example = (typeof examples)[number]

test('all examples are present', () => {
  expect(examples.map(({ number }) => number)).toEqual(range(1, 652))
})

test('every example has the HTML of CommonMark, except the listed ones', () => {
  const different = examples.filter(({ answered, specified }) => answered !== specified)
  const listed = DIFFERENCES.flatMap(({ numbers }) => numbers)
  expect(different.map(({ number }) => number)).toEqual(listed.toSorted((a, b) => a - b))
})

test.each(DIFFERENCES)('$reason', ({ numbers, expected }) => {
  for (const example of examples.filter(({ number }) => numbers.includes(number))) {
    expect(example.answered, `example ${example.number}`).toBe(expected(example))
  }
})

test('no example produces an element or an attribute that Markdown does not have', () => {
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
    'a blockquote br code del div em h2 h3 h4 h5 h6 hr img li ol p pre span strong ul'.split(' '),
  )
  expect([...attributes].sort()).toEqual(
    'alt aria-label class data-bare data-depth decoding href id loading referrerpolicy rel role src start tabindex title'.split(
      ' ',
    ),
  )
})
