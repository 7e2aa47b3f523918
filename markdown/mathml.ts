import { ParseError, renderToString } from 'katex'
import type { ToMathml } from './extras.ts'

/** Macro definitions could expand a few characters into many. */
const defines = /\\(?:[gex]?def|(?:new|renew|provide)command|(?:future)?let|global|long)(?![a-zA-Z])/
/** Commands by which KaTeX would write to the console, which is the server's log. */
const logs = /\\(?:show|(?:err)?message)(?![a-zA-Z])/
/** The maximum depth of groups, into which KaTeX recurses. */
const DEPTH_MAX = 60

const tag = /<(\/?)([a-z]+)((?: [a-z]+ ?="[^"<>]*")*)(\/?)>/g
const attribute = / ([a-z]+) ?="([^"<>]*)"/g

const elements = new Set(
  'math mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover menclose'.split(
    ' ',
  ),
)

const truth = /^(?:true|false)$/
/** Only absolute, non-negative lengths: others could move a formula out of its position. */
const length = /^\d{0,2}(?:\.\d{1,5})?(?:em|ex|px)$/

/** Colors and text sizes are omitted, because the page has two themes. */
const attributes: Record<string, RegExp> = {
  accent: truth,
  accentunder: truth,
  columnalign: /^[a-z ]+$/,
  displaystyle: truth,
  fence: truth,
  height: length,
  largeop: truth,
  linethickness: length,
  lspace: length,
  mathvariant: /^[a-z-]+$/,
  maxsize: length,
  minsize: length,
  movablelimits: truth,
  notation: /^[a-z ]+$/,
  rspace: length,
  scriptlevel: /^[0-3]$/,
  separator: truth,
  stretchy: truth,
  symmetric: truth,
  width: length,
}

/** Renders TeX as MathML without styles. */
export const toMathml: ToMathml = (tex, isDisplay) => {
  if (defines.test(tex) || logs.test(tex) || depthOf(tex) > DEPTH_MAX) return undefined
  try {
    const html = renderToString(tex, {
      output: 'mathml',
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxExpand: 300,
      maxSize: 5,
    })
    return withoutStyles(html, tex, isDisplay)
  } catch (error) {
    if (error instanceof ParseError || error instanceof RangeError) return undefined
    throw error
  }
}

function depthOf(tex: string): number {
  let depth = 0
  let deepest = 0
  for (const character of tex) {
    if (character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === '}') depth--
  }
  return Math.max(deepest, tex.split('\\left').length, tex.split('\\begin').length)
}

/**
 * Removes all elements and attributes of KaTeX's markup that are not listed above. The alignment of columns becomes an attribute
 * of each cell, because Chromium does not support it on tables. The source becomes `alttext`.
 */
function withoutStyles(html: string, tex: string, isDisplay: boolean): string {
  const tables: { columns: string[]; column: number }[] = []
  const start = html.indexOf('<semantics>') + '<semantics>'.length
  const content = html
    .slice(start, html.indexOf('<annotation', start))
    .replace(tag, (_all, slash: string, name: string, written: string, closed: string) => {
      if (!elements.has(name)) return ''
      if (slash) {
        if (name === 'mtable') tables.pop()
        return `</${name}>`
      }
      const allowed = [...written.matchAll(attribute)].filter(([, key = '', value = '']) =>
        attributes[key]?.test(value),
      )
      if (name === 'mtable') {
        const columns = allowed.find(([, key]) => key === 'columnalign')?.[2] ?? ''
        tables.push({ columns: columns.split(' '), column: 0 })
      }
      const table = tables.at(-1)
      if (name === 'mtr' && table) table.column = 0
      const rest = allowed.filter(([, key]) => key !== 'columnalign').map(([all]) => all.replace(' =', '='))
      return `<${name}${rest.join('')}${name === 'mtd' && table ? cellOf(table, written) : ''}>${closed && `</${name}>`}`
    })
  // TeX puts a small space between the name of a function and its argument.
  const spaced = content.replace(/<mo>\u2061<\/mo>(?!<mo|<\/)/g, '<mo rspace="0.1667em">\u2061</mo>')
  const alternative = tex.trim().replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)
  return `<math${isDisplay ? ' display="block"' : ''} alttext="${alternative}">${spaced.replaceAll(`<mtd${GLUE}></mtd>`, '').replaceAll(GLUE, '')}</math>`
}

const GLUE = ' data-glue=""'

/** KaTeX adds cells with classes around the columns of numbered equations, which are not columns of the source. */
function cellOf(table: { columns: string[]; column: number }, written: string): string {
  if (written.includes('class')) return GLUE
  const side = table.columns[Math.min(table.column++, table.columns.length - 1)]
  return side === 'left' || side === 'right' ? ` data-align="${side}"` : ''
}
