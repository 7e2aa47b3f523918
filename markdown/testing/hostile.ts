/** The languages whose code is highlighted. */
export const LANGUAGES =
  'arduino bash c cpp css dart diff dockerfile go graphql ini java javascript json kotlin latex lua makefile nginx php powershell python r rust scss sql swift typescript xml yaml'.split(
    ' ',
  )

/** The lengths of the hostile texts, in characters. */
export const SIZES = [1_000, 10_000, 100_000, 200_000] as const

export type Hostile = { name: string; size: number; content: string }

/** Returns a text of about `size` characters. */
type Family = (size: number) => string

const repeated =
  (piece: string, before = '', after = ''): Family =>
  (size) =>
    before +
    piece.repeat(Math.max(1, Math.floor((size - before.length - after.length) / piece.length))) +
    after

const numbered =
  (piece: (index: number) => string): Family =>
  (size) => {
    let text = ''
    for (let index = 0; text.length < size; index++) text += piece(index)
    return text.slice(0, size)
  }

const half = (first: Family, second: Family) => (size: number) => first(size / 2) + second(size / 2)

/** A header of many columns above short rows, each of which is padded to the header's width. */
const wideTable: Family = (size) => {
  const columns = Math.floor(size / 10)
  return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b\n'.repeat(size / 5)}`
}

/** Code that is slow for the grammars of a language: unterminated, or with lines that begin many constructs. */
function codeOfEachLanguage(): Record<string, Family> {
  const code = (language: string) => (size: number) => {
    const lines = ['"', 'a ', 'a<b> ', '(a,', '$\u007b', '- - ', 'a: ', '/* ', '<a>', '1_', '=> {'].map(
      (piece) => `${piece.repeat(100 / piece.length)}\n`,
    )
    const block = `\n\`\`\`${language}\n${lines.join('').repeat(5)}\`\`\`\n`
    return block.repeat(Math.ceil(size / block.length))
  }
  return Object.fromEntries(LANGUAGES.map((language) => [`code: ${language}`, code(language)]))
}

/** Texts that are slow for Markdown parsers, by their content. */
const families: Record<string, Family> = {
  'a wide table with short rows': wideTable,
  'a long table': repeated('|b|c|\n', '|a|b|\n|-|-|\n'),
  'a table of empty cells': repeated('|', 'a|a\n-|-\n'),
  'tables after each other': repeated('a|b\n-|-\n\n'),
  'headers without a table': repeated('a|b\n'),
  'opening brackets': repeated('['),
  'details without an end': repeated('<details>\n'),
  'details in each other': half(repeated('<details>\n'), repeated('</details>\n')),
  'details beside each other': repeated('<details>\n<details>\na\n</details>\n</details>\n'),
  'details in a list, with an end below': half(
    repeated('<details>\n  ', '- '),
    repeated('</details>\n', '\na\n'),
  ),
  'comments without an end': repeated('<!-- a\n\n'),
  'comments in lists, with an end below': repeated('- <!--\n', '', '\n-->'),
  'tags without a partner': repeated('<b>**'),
  'brackets and words': half(repeated('['), repeated('a ')),
  'closing brackets': repeated(']', '['),
  'nested brackets': half(repeated('['), repeated(']')),
  'links that are never closed': repeated('[a]('),
  'links with many parentheses': repeated('(', '[a]('),
  'brackets after brackets': repeated('[a]['),
  'deep quotes': repeated('> '),
  'quotes of many lines': repeated('>>>>>>>>>>>>>>>>a\n'),
  'lazy lines under deep quotes': repeated('a\n', `${'> '.repeat(16)}a\n`),
  'quotes and lists in turn': repeated('> - '),
  'lists in lists': repeated('- '),
  'numbered lists in lists': repeated('1. '),
  'a list of ever deeper items': numbered((index) => `${' '.repeat(2 * (index % 400))}- a\n`),
  'a loose list': repeated('- a\n\n'),
  tasks: repeated('- [ ] a\n'),
  'opening emphasis': repeated('*a '),
  emphasis: repeated('*a*'),
  'emphasis of both kinds': repeated('_a*b '),
  'strong and plain emphasis': repeated('**a_'),
  'emphasis that closes nothing': repeated('a**b'),
  'emphasis in threes': repeated('a***b_c'),
  'emphasis next to East Asian brackets': repeated('**「a」**「'),
  'emphasis among variation selectors': repeated('*字\ufe00*「\u{e0100}*'),
  'stars alone': repeated('*'),
  'tildes of one and two': repeated('~a~~b'),
  'a link around links': half(repeated('[a'), repeated('](b)')),
  links: repeated('[a](b)'),
  'a reference that is used often': repeated('[a]', '[a]: b\n\n'),
  'a reference with a long address': (size) => `[a]: ${'b'.repeat(size / 2)}\n\n${'[a]'.repeat(size / 6)}`,
  definitions: numbered((index) => `[${index}]: b\n`),
  'a definition that is never ended': repeated('[a]: (\n'),
  'references to nothing': numbered((index) => `[${index}]`),
  images: repeated('![a](b)'),
  'images in images': half(repeated('!['), repeated('](b)')),
  'opening images': repeated('!['),
  footnotes: numbered((index) => `a[^${index}]\n\n[^${index}]: b\n\n`),
  'a note that is used often': repeated('[^a]', '[^a]: b\n\n'),
  'notes in notes': numbered((index) => `[^${index}]: [^${index + 1}]\n\n`),
  'notes within the line': repeated('^[a'),
  'bare addresses': repeated('https://a.b/ '),
  'addresses run together': repeated('www.x_'),
  'schemes run together': repeated('http://'),
  'an address that ends with parentheses': repeated(')', 'https://a.b/'),
  'an address that ends with entities': repeated('&a;', 'https://a.b/'),
  'addresses before East Asian text': repeated('https://a.b/日本。次'),
  'an address that changes its script': repeated('a/日', 'https://a.b/'),
  'domains of mixed scripts': repeated('a日.', 'https://'),
  'addresses behind East Asian text': repeated('日www.'),
  emails: repeated('a@b.c '),
  'an email that never ends': repeated('a.', '', '@'),
  'at signs': repeated('a@'),
  'HTML tags': repeated('<a>'),
  'opening tags': repeated('<'),
  'tags that are never closed': repeated('<a b="'),
  'comments that are never closed': repeated('<!-- a'),
  'instructions that are never closed': repeated('a<?'),
  'autolinks that are never closed': repeated('<http://a'),
  entities: repeated('&amp;'),
  'entities that are none': repeated('&a;'),
  'numeric entities': repeated('&#1;'),
  backslashes: repeated('\\'),
  'ticks of growing length': numbered((index) => `e${'`'.repeat(index)}`),
  ticks: repeated('`a'),
  fences: repeated('```\n'),
  hyphens: repeated('-'),
  'hyphens and spaces': repeated('- - -\n'),
  underlines: repeated('a\n=\n'),
  'underlines that might be': repeated('a\n-'),
  headings: repeated('# a\n'),
  'headings of the same words': repeated('#  \n'),
  'links to headings': numbered((index) => `[a](#a-${index})\n# a\n`),
  'links to no heading': repeated('[a](#%61a)', '# b\n\n'),
  'front matter': repeated('a: b\n', '---\n', '---\n'),
  'front matter that is never closed': repeated('- a: "\n', '---\na:\n'),
  'line breaks': repeated('a\n'),
  hashes: repeated('# ', '', ''),
  'quotation marks': repeated('"', '[a](b '),
  'blank lines': repeated('\n'),
  spaces: repeated(' ', 'a', 'b'),
  tabs: repeated('\t', '- a'),
  'zero characters': repeated('\0'),
  'surrogates without their partner': repeated('\ud800'),
  'one long word': repeated('a'),
  'Thai without spaces': repeated('ภาษาไทย'),
  'Chinese without spaces': repeated('面包'),
  'combining marks': repeated('\u0301', 'a'),
  'right to left and back': repeated('\u202eא\u202c'),
  callouts: repeated('> [!NOTE]\n> a\n\n'),
  'callouts in callouts': numbered((index) => `${'> '.repeat((index % 20) + 1)}[!TIP]\n`),
  'callouts that are none': repeated('> [!NOTE'),
  'dollar signs': repeated('$'),
  'dollar signs and words': repeated('$a '),
  'pairs of dollar signs': repeated('$$a\n'),
  'runs of dollar signs': numbered((index) => `a${'$'.repeat(index % 9)}`),
  'escaped dollar signs': repeated('\\$', '$'),
  formulas: repeated('$a^2$ '),
  'escaped brackets that are never closed': repeated('\\(a^'),
  'displayed brackets that are never closed': repeated('\\[\na^\n\n'),
  'equals signs': repeated('==', 'a '),
  'formulas of many symbols': repeated('$\\pmod{a} \\TeX$\n'),
  'formulas that are no TeX': repeated('$\\frac{a}$ '),
  'a formula of deep groups': half(repeated('{', '$$'), repeated('}', '', '$$')),
  'a formula of deep fractions': half(repeated('\\frac{1}{', '$$\n'), repeated('}', '', '\n$$')),
  'a formula that defines itself': repeated('\\def\\a{\\a\\a}\\a', '$', '$'),
  'a formula of a wide matrix': repeated('&', '$$\n\\begin{matrix}', '\\end{matrix}\n$$'),
  'displayed formulas': repeated('$$\n\\sqrt{a}\n$$\n'),
  'displayed formulas that are never closed': repeated('$$\na\n\n'),
  videos: repeated('https://youtu.be/dQw4w9WgXcQ\n\n'),
  ...codeOfEachLanguage(),
  'a mixture': repeated('> - *a* [b](c)\n>   | `d` | ~~e~~ |\n>   |-|-|\n[^f] <g> &h; ![i][j] www.k.l\n'),
}

/** The hostile texts: each family in each size. */
export const hostileTexts: Hostile[] = Object.entries(families).flatMap(([name, make]) =>
  SIZES.map((size) => ({ name: `${name}, ${size / 1_000} kB`, size, content: make(size).slice(0, 200_000) })),
)
