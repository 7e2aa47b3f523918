import { STYLE } from './copied-styles.ts'

/** Returns the level of an item in the style that Word writes; 0 for what is no item. */
function levelOf(style: string): number {
  for (const [, list = ''] of style.matchAll(/mso-list:([^;]*)/gi)) {
    const level = /level(\d)/i.exec(list)?.[1]
    if (level !== undefined) return Number(level)
  }
  return 0
}

const ignored = /mso-list:\s*ignore/i
const number = /^\W*(?:\d+|[a-z]{1,4})[.)]/i

/** Turns the paragraphs that Word writes as items into lists. */
export function listsOfWord(body: Element): void {
  /** The open lists, the outermost first. */
  let open: { depth: number; list: Element }[] = []
  let last: Element | undefined
  for (const paragraph of body.querySelectorAll(`p[${STYLE}]`)) {
    const depth = levelOf(paragraph.getAttribute(STYLE) ?? '')
    if (depth === 0) continue
    if (last === undefined || paragraph.previousElementSibling !== last) open = []
    const marks = [...paragraph.querySelectorAll(`[${STYLE}]`)].filter((one) =>
      ignored.test(one.getAttribute(STYLE) ?? ''),
    )
    const written = (marks[0]?.textContent ?? '').trim()
    const isNumbered = number.test(written)
    for (const mark of marks) mark.remove()
    open = open.filter((one) => one.depth <= depth)
    let current = open.at(-1)
    if (!current || current.depth < depth) {
      const list = paragraph.ownerDocument.createElement(isNumbered ? 'ol' : 'ul')
      const first = Number.parseInt(written, 10)
      if (isNumbered && first > 1) list.setAttribute('start', `${first}`)
      const parent = current?.list.lastElementChild
      if (parent) parent.append(list)
      else paragraph.parentNode?.insertBefore(list, paragraph)
      current = { depth, list }
      open.push(current)
    }
    const item = paragraph.ownerDocument.createElement('li')
    while (paragraph.firstChild) item.append(paragraph.firstChild)
    current.list.append(item)
    paragraph.remove()
    last = open[0]?.list
  }
}

/** Puts the items of Word on the web, each a list of its own within a `div`, beside each other, with their indent. */
export function listsOfWordOnline(body: Element): void {
  for (const mark of body.querySelectorAll('span.EOP')) mark.remove()
  for (const item of body.querySelectorAll('li[data-aria-level], li[aria-level]')) {
    const list = item.parentElement
    const indent = item.getAttribute('data-aria-level') ?? item.getAttribute('aria-level') ?? '1'
    if (list && !list.hasAttribute('data-indent')) list.setAttribute('data-indent', indent)
    const wrapper = list?.parentElement
    if (wrapper?.nodeName === 'DIV' && wrapper.children.length === 1)
      wrapper.replaceWith(...wrapper.childNodes)
  }
}
