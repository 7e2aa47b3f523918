import type { Env } from 'markdown-it'

/** Returns code as HTML with classes; undefined for an unknown language. */
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
 * The remaining budget of one text: neither library limits its own time, and both may write many characters for one of the
 * source. Whatever exceeds the budget is shown as it was written.
 */
type Budget = { code: number; formulas: number; markup: number }

type Extras = { highlight?: Highlight | undefined; toMathml?: ToMathml | undefined; budget: Budget }

const KEY = 'extras'

/** Returns the environment in which one text is parsed and rendered. */
export function extrasFor(content: string, extras: { highlight?: Highlight; toMathml?: ToMathml }): Env {
  const markup = Math.max(MARKUP_FREE, MARKUP_PER_CHARACTER * content.length)
  const budget: Budget = { code: CODE_MAX, formulas: FORMULAS_MAX, markup }
  return { [KEY]: { ...extras, budget } satisfies Extras }
}

/** Highlights code within the text's budget. */
export function highlighted(env: Env, code: string, language: string): string | undefined {
  const { highlight, budget } = env[KEY] as Extras
  if (!highlight || code.length > Math.min(CODE_BLOCK_MAX, budget.code)) return undefined
  if (code.split('\n').some(({ length }) => length > LINE_MAX)) return undefined
  const html = highlight(code, language)
  if (html === undefined) return undefined
  budget.code -= code.length
  return paid(budget, html)
}

/** Renders a formula within the text's budget. */
export function mathmlOf(env: Env, tex: string, isDisplay: boolean): string | undefined {
  const { toMathml, budget } = env[KEY] as Extras
  if (!toMathml || tex.length > Math.min(FORMULA_MAX, budget.formulas)) return undefined
  budget.formulas -= tex.length
  const html = toMathml(tex, isDisplay)
  return html === undefined ? undefined : paid(budget, html)
}

function paid(budget: Budget, html: string): string | undefined {
  if (html.length > budget.markup) return undefined
  budget.markup -= html.length
  return html
}
