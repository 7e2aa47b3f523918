import type { Env } from 'markdown-it'

/** Returns code as HTML with classes; undefined for a language that it does not know. */
export type Highlight = (code: string, language: string) => string | undefined

/** Returns a formula as MathML; undefined if it is not valid TeX. */
export type ToMathml = (tex: string, isDisplay: boolean) => string | undefined

const CODE_BLOCK_MAX = 6_000
const CODE_MAX = 20_000
const LINE_MAX = 500
const FORMULA_MAX = 1_500
const FORMULAS_MAX = 10_000
const MARKUP_FREE = 40_000
const MARKUP_PER_CHARACTER = 5

/**
 * What may still be spent on one text: neither library bounds its own time, and both write many characters for one.
 * Whatever comes after that is shown as it was written.
 */
type Allowance = { code: number; formulas: number; markup: number }

type Extras = { highlight?: Highlight | undefined; toMathml?: ToMathml | undefined; allowance: Allowance }

const KEY = 'extras'

/** Returns the environment in which one text is parsed and rendered. */
export function extrasFor(content: string, extras: { highlight?: Highlight; toMathml?: ToMathml }): Env {
  const markup = Math.max(MARKUP_FREE, MARKUP_PER_CHARACTER * content.length)
  const allowance: Allowance = { code: CODE_MAX, formulas: FORMULAS_MAX, markup }
  return { [KEY]: { ...extras, allowance } satisfies Extras }
}

/** Highlights code as far as the text's allowance goes. */
export function highlighted(env: Env, code: string, language: string): string | undefined {
  const { highlight, allowance } = env[KEY] as Extras
  if (!highlight || code.length > Math.min(CODE_BLOCK_MAX, allowance.code)) return undefined
  if (code.split('\n').some(({ length }) => length > LINE_MAX)) return undefined
  const html = highlight(code, language)
  if (html === undefined) return undefined
  allowance.code -= code.length
  return paid(allowance, html)
}

/** Renders a formula as far as the text's allowance goes. */
export function mathmlOf(env: Env, tex: string, isDisplay: boolean): string | undefined {
  const { toMathml, allowance } = env[KEY] as Extras
  if (!toMathml || tex.length > Math.min(FORMULA_MAX, allowance.formulas)) return undefined
  allowance.formulas -= tex.length
  const html = toMathml(tex, isDisplay)
  return html === undefined ? undefined : paid(allowance, html)
}

function paid(allowance: Allowance, html: string): string | undefined {
  if (html.length > allowance.markup) return undefined
  allowance.markup -= html.length
  return html
}
