import { FORMULA } from '#markdown/from-html.ts'
import { texOf } from './mathml-to-tex.ts'

const SOURCE = 'annotation[encoding="application/x-tex"]'
/** Formulas of Gemini, and of Docmost and CKEditor, whose source is all that they contain. */
const WITH_SOURCE = '[data-math], [data-type="mathInline"], [data-type="mathBlock"], span.math-tex'
const SHOWN = '.katex-display, .katex, mjx-container, .MathJax_Display, .MathJax, math'

/**
 * Puts the TeX source of formulas in the place of the formulas: that which KaTeX, Wikipedia and others copy beside what they show, and of
 * MathML that comes without one, as from MathJax, TeX that shows the same.
 */
export function keepFormulas(body: Element): void {
  for (const preview of body.querySelectorAll('.MathJax_Preview')) preview.remove()
  for (const formula of body.querySelectorAll(WITH_SOURCE)) {
    const written = formula.getAttribute('data-math') ?? formula.textContent ?? ''
    const [, display, inline, plain = ''] =
      /^(?:\\\[([^]*)\\\]|\\\(([^]*)\\\)|([^]*))$/.exec(written.trim()) ?? []
    const isDisplayed =
      display !== undefined || formula.nodeName === 'DIV' || formula.getAttribute('data-type') === 'mathBlock'
    keep(formula, display ?? inline ?? plain, isDisplayed)
  }
  for (const formula of body.querySelectorAll(SHOWN)) {
    // The outer one has been read with all that is within it.
    if (!formula.isConnected || formula.parentElement?.closest(SHOWN)) continue
    const isDisplayed =
      formula.matches('.katex-display, .MathJax_Display, [display="true"], [display="block"]') ||
      formula.querySelector('math[display="block"]') !== null
    keep(formula, sourceOf(formula), isDisplayed)
  }
}

function sourceOf(formula: Element): string {
  const source =
    formula.querySelector(SOURCE)?.textContent ?? formula.closest('math')?.getAttribute('alttext')
  if (source) return source
  const copied = formula.closest('math') ?? formula.querySelector('math') ?? dataOf(formula)
  return copied ? texOf(copied) : ''
}

/** Earlier versions of MathJax have the MathML in an attribute. */
function dataOf(formula: Element): Element | null {
  const data = (formula.querySelector('[data-mathml]') ?? formula).getAttribute('data-mathml')
  return data === null ? null : new DOMParser().parseFromString(data, 'text/html').querySelector('math')
}

function keep(formula: Element, tex: string, isDisplayed: boolean): void {
  const source = tex.trim()
  if (source === '' || !formula.isConnected) return
  const kept = formula.ownerDocument.createElement(isDisplayed ? 'div' : 'code')
  kept.setAttribute(FORMULA, source)
  // Without a text it would be left out.
  kept.textContent = source
  formula.replaceWith(kept)
}
