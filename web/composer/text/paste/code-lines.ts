import { STYLE, styleOf } from './copied-styles.ts'

/** Elements that sites show as the lines of a block of code, whether or not line feeds are between them. */
const LINE = `div, p, li, .line, .token-line, .code-line, [${STYLE}*="block"]`

/** Puts a line feed between the elements of a block of code that are lines. */
export function separateLines(block: Element): void {
  for (const line of block.querySelectorAll(LINE)) {
    const before = line.previousSibling
    if (!before || !isLine(before) || endsLine(before) || line.matches('button')) continue
    line.before('\n')
  }
}

const isLine = (node: Node) =>
  node instanceof Element && node.matches(LINE) && styleOf(node).get('display') !== 'inline-block'

const endsLine = (node: Node) =>
  (node.textContent ?? '').endsWith('\n') || (node instanceof Element && node.querySelector('br') !== null)

/** Makes code with line breaks a block, and what is shown as if typed code: chats and notes copy both. */
export function readCode(body: Element): void {
  for (const typed of body.querySelectorAll('tt, samp')) {
    if (typed.closest('pre, code')) continue
    const code = body.ownerDocument.createElement('code')
    code.append(...typed.childNodes)
    typed.replaceWith(code)
  }
  for (const code of body.querySelectorAll('code')) {
    if (!code.querySelector('br') || code.closest('pre, td, th')) continue
    const block = body.ownerDocument.createElement('pre')
    code.replaceWith(block)
    block.append(code)
  }
}
