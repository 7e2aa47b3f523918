import { STYLE } from './copied-styles.ts'

/** Matches the level of an item in the style that Word writes. */
const level = /mso-list:[^;]*?level(\d)/i
const ignored = /mso-list:\s*ignore/i
const number = /^\W*(?:\d+|[a-z]{1,4})[.)]/i

/** Turns the paragraphs that Word writes as items into lists. */
export function listsOfWord(body: Element): void {
  /** The open lists, the outermost first. */
  let open: { depth: number; list: Element }[] = []
  let last: Element | undefined
  for (const paragraph of body.querySelectorAll(`p[${STYLE}]`)) {
    const depth = Number(level.exec(paragraph.getAttribute(STYLE) ?? '')?.[1] ?? 0)
    if (depth === 0) continue
    if (last === undefined || paragraph.previousElementSibling !== last) open = []
    const marks = [...paragraph.querySelectorAll(`[${STYLE}]`)].filter((one) =>
      ignored.test(one.getAttribute(STYLE) ?? ''),
    )
    const isNumbered = number.test((marks[0]?.textContent ?? '').trim())
    for (const mark of marks) mark.remove()
    open = open.filter((one) => one.depth <= depth)
    let current = open.at(-1)
    if (!current || current.depth < depth) {
      const list = paragraph.ownerDocument.createElement(isNumbered ? 'ol' : 'ul')
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
