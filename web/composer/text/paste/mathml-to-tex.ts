const SPECIAL = /[\\{}$&#%_^~]/g
const WORDS =
  /^(?:arccos|arcsin|arctan|cos|cosh|cot|det|dim|exp|gcd|inf|ker|lim|ln|log|max|min|sin|sinh|sup|tan|tanh)$/
/** Signs whose limits stand below and above them. */
const LIMITS = /^(?:[∑∏∐⋃⋂⨁⨂∫∬∮]|\\(?:lim|max|min|inf|sup|det|gcd) ?)$/u
const ACCENTS: { [sign: string]: string } = {
  '¯': 'overline',
  '‾': 'overline',
  '^': 'hat',
  ˆ: 'hat',
  '~': 'tilde',
  '˜': 'tilde',
  '→': 'vec',
  '⃗': 'vec',
  '˙': 'dot',
  '.': 'dot',
  '¨': 'ddot',
}
/** Signs without width, which say only how a formula is read aloud. */
const UNSEEN = /[\u2061-\u2064\u200B]/g

/** Returns TeX that shows the same as MathML, for formulas that are copied without their source. */
export function texOf(element: Element): string {
  const parts = Array.from(element.children, texOf)
  const [first = '', second = '', third = ''] = parts
  switch (element.localName) {
    case 'mi':
      return nameOf(textOf(element))
    case 'mn':
    case 'mo':
      return escapeTex(textOf(element))
    case 'mtext':
    case 'ms':
      return `\\text{${escapeTex(element.textContent ?? '')}}`
    case 'mspace':
      return '\\ '
    case 'mfrac':
      return `\\frac{${first}}{${second}}`
    case 'msqrt':
      return `\\sqrt{${parts.join('')}}`
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`
    case 'msub':
      return `${based(first)}_{${second}}`
    case 'msup':
      return `${based(first)}^{${second}}`
    case 'msubsup':
      return `${based(first)}_{${second}}^{${third}}`
    case 'munder':
      return LIMITS.test(first) ? `${first}_{${second}}` : `\\underset{${second}}{${first}}`
    case 'mover':
      return over(first, second)
    case 'munderover':
      return `${LIMITS.test(first) ? first : `\\mathop{${first}}`}_{${second}}^{${third}}`
    case 'mtable':
      return `\\begin{matrix}${parts.join(' \\\\ ')}\\end{matrix}`
    case 'mtr':
      return parts.join(' & ')
    case 'mfenced':
      return `${element.getAttribute('open') ?? '('}${parts.join(', ')}${element.getAttribute('close') ?? ')'}`
    case 'semantics':
      return first
    case 'annotation':
    case 'annotation-xml':
      return ''
    default:
      return parts.length > 0 ? parts.join('') : escapeTex(textOf(element))
  }
}

const textOf = (element: Element) => (element.textContent ?? '').replaceAll(UNSEEN, '').trim()

function over(base: string, sign: string): string {
  if (LIMITS.test(base)) return `${base}^{${sign}}`
  const accent = ACCENTS[sign.replace(/^\\text(?:asciitilde|asciicircum)/, '')]
  return accent === undefined ? `\\overset{${sign}}{${base}}` : `\\${accent}{${base}}`
}

/** A base of several signs is one group, but the limits of a sign belong to it. */
const based = (base: string) => ([...base].length <= 1 || LIMITS.test(base) ? base : `{${base}}`)

const nameOf = (name: string) => {
  if ([...name].length <= 1) return escapeTex(name)
  return WORDS.test(name) ? `\\${name} ` : `\\mathrm{${escapeTex(name)}}`
}

const escapeTex = (text: string) =>
  text.replaceAll(SPECIAL, (sign) => {
    if (sign === '\\') return '\\backslash '
    if (sign === '^') return '\\text{\\textasciicircum}'
    return sign === '~' ? '\\sim ' : `\\${sign}`
  })
