import { FORMULA } from '#markdown/from-html.ts'

const SOURCE = 'annotation[encoding="application/x-tex"]'

/**
 * Puts the TeX source of formulas, as KaTeX, MathJax and Wikipedia copy it beside what they show, in the place of the formulas. Those
 * without a source are removed by the caller.
 */
export function keepFormulas(body: Element): void {
  for (const formula of body.querySelectorAll('.katex-display, .katex, mjx-container, math')) {
    const source =
      formula.querySelector(SOURCE)?.textContent ?? formula.closest('math')?.getAttribute('alttext') ?? ''
    if (!body.contains(formula) || source.trim() === '') continue
    const isDisplayed =
      formula.matches('.katex-display, [display="true"], [display="block"]') ||
      formula.querySelector('math[display="block"]') !== null
    const kept = body.ownerDocument.createElement(isDisplayed ? 'div' : 'code')
    kept.setAttribute(FORMULA, source.trim())
    // Without a text it would be left out.
    kept.textContent = source.trim()
    formula.replaceWith(kept)
  }
}
