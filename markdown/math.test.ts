import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { formatMarkdown } from './format.ts'
import { renderMarkdown } from './render.ts'

const render = (content: string) => renderMarkdown(content).html

test('an inline formula is MathML with its source', () => {
  expect(render('It rose by $x^2 < y$.')).toBe(
    '<div class="prose"><p>It rose by <math alttext="x^2 &#60; y"><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>&lt;</mo><mi>y</mi></mrow></math>.</p></div>',
  )
})

test.each(['$$\nx\n$$', '$$x$$', '$$x\n+y$$', '> $$\n> x\n> $$', '- $$\n  x\n  $$', 'so:\n$$\nx\n$$\nand'])(
  '%j is displayed, and scrolls separately',
  (content) => {
    expect(render(content)).toContain(
      '<div class="math-display" role="group" aria-label="Formula" tabindex="0"><math display="block"',
    )
  },
)

test('formulas are also what GitHub writes as code', () => {
  expect(render('so $`a_1 * b`$ and')).toContain('<math alttext="a_1 * b">')
  expect(render('```math\nx^2\n```')).toContain('<math display="block" alttext="x^2">')
  expect(render('```math\n\n```')).toContain('<code class="language-math">')
})

test('two dollar signs within a line display a formula too', () => {
  expect(render('so $$x$$ and')).toContain('<span class="math-display"')
})

test.each([
  '\\[\nE = mc^2\n\\]',
  '\\[ \\frac{a}{b} \\]',
  '1. so:\n   \\[\n   x_1\n   \\]',
  'so:\n\\[ a^2 \\]\nand',
])('%j is displayed, as chats write it', (content) => {
  expect(render(content)).toContain('<math display="block"')
})

test.each(['\\(x^2\\)', '\\( n \\)', 'a\\(\\alpha\\)b', '| a |\n|-|\n| \\(x_1\\) |'])(
  '%j is a formula',
  (content) => {
    expect(render(content)).toContain('<math alttext')
  },
)

test.each([
  '\\(see the note\\)',
  '[a]\\(b_c\\)',
  '\\(a_b',
  '\\[todo\\]',
  '\\[x\\_y\\]',
  '\\[\na\n\\]',
  '\\[a^2\\] is one',
  '\\(\\)',
])('%j has escaped brackets', (content) => {
  expect(render(content)).not.toMatch(/<math|math-source/)
})

test('a formula that is no TeX keeps its brackets', () => {
  expect(render('\\(\\frac{a}\\)')).toContain('<p>\\(\\frac{a}\\)</p>')
})

test.each([
  'It cost $5 and $10.',
  'US$5 and C$6',
  'from 5$ to 10$',
  '$20,000 or $30,000',
  '$ a $',
  '\\$a\\$',
  '`$a$`',
  '$a',
  '$$',
  '$$$a$$$',
  '$HOME/$PATH',
  '$a\n\nb$',
  '$$a\n\nb$$',
])('%j has no formula', (content) => {
  expect(render(content)).not.toMatch(/<math|math-source/)
})

test.each([
  ['no TeX', '\\frac{a}'],
  ['a macro', '\\def\\a{b}\\a'],
  ['a link', '\\href{javascript:alert(1)}{a}'],
  ['an image', '\\includegraphics{a.png}'],
  ['a class', '\\htmlClass{a}{b}'],
  ['very deep', `${'{'.repeat(100)}a${'}'.repeat(100)}`],
  ['very long', 'a'.repeat(2_000)],
])('a formula of %s is shown as it was written', (_what, tex) => {
  const html = render(`$${tex}$`)
  expect(html).not.toContain(' href=')
  expect(html.includes('<math') || html.includes('<p>$')).toBe(true)
})

test('a formula writes nothing to the console, which is the log of the server', () => {
  const written = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const tex of ['\\message{forged}', '\\errmessage{forged}', '\\show\\frac', 'x_{\\message{forged}}'])
    expect(render(`$${tex}$`)).not.toContain('<math')
  for (const spy of written) {
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  }
})

test('the name of a function is spaced from its argument, but not from a bracket', () => {
  expect(render('$\\sin x$')).toContain('<mi>sin</mi><mo rspace="0.1667em">\u2061</mo><mi>x</mi>')
  expect(render('$\\sin(x)$')).toContain('<mi>sin</mi><mo>\u2061</mo><mo')
})

test('the columns of equations are aligned by cell', () => {
  const html = render('$$\\begin{align}a&=b\\end{align}$$')
  expect(html.match(/<mtd[^>]*>/g)).toEqual(['<mtd data-align="right">', '<mtd data-align="left">'])
})

test('formulas beyond the budget are shown as written, and the text is still formatted', () => {
  const { html, renderedAs } = renderMarkdown('$a^2$ '.repeat(30_000))
  expect(renderedAs).toBe('markdown')
  expect(html.split('<math ').length - 1).toBe(3_333)
  expect(html).toContain('</math> $a^2$ $a^2$')
})

test('without the library a formula is shown as TeX and code plain', () => {
  const { html } = formatMarkdown('$a$\n\n```js\nlet a\n```', {})
  expect(html).toContain('<p>$a$</p>')
  expect(html).toContain('>let a\n<')
})

test('word counts, excerpts and descriptions of images contain the source of formulas', () => {
  expect(renderMarkdown('Let $x^2$ rise.').excerpt).toBe('Let x^2 rise.')
  expect(render('![the $x^2$](a.png)')).toContain('alt="the x^2"')
})

const tex = fc.array(
  fc.constantFrom(
    ...'\\frac \\sqrt \\color{red} \\rule{99em}{-9em} \\hspace{-9em} \\raisebox{9em} \\text{<b> \\left( \\right) \\begin{matrix} \\end{matrix} \\tag{1} \\Huge \\colorbox{red} \\kern-9em \\mathbb \\mathchoice & \\\\ { } ^ _ \' " < > a 1 %'.split(
      ' ',
    ),
  ),
  { maxLength: 12 },
)

test('no formula has a style, colour, link or negative length', () => {
  fc.assert(
    fc.property(tex, (pieces) => {
      const html = render(`$$\n${pieces.join('')}\n$$`)
      expect(html.replace(/ alttext="[^"]*"/g, '')).not.toMatch(
        /<[^>]* (?:style|class="(?!prose|math-)|href|mathcolor|mathbackground|mathsize|voffset)|<[^>]*="-/,
      )
    }),
    { numRuns: 500 },
  )
})
