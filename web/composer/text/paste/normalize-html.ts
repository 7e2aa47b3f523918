import { arrangeBlocks } from './block-structure.ts'
import { separateLines } from './code-lines.ts'
import { STYLE, styleOf } from './copied-styles.ts'
import { keepLines } from './preformatted.ts'
import { languageOf, removeLabel } from './site-markup.ts'
import { listsOfWord, listsOfWordOnline } from './word-lists.ts'

const HEADING = 'h1, h2, h3, h4, h5, h6, th'
const BLOCK = /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|DIV|DL|FIGURE|H[1-6]|HR|OL|P|PRE|SECTION|TABLE|UL)$/

/**
 * Changes copied HTML so that its formatting is in its elements, as office programs, mail and note applications write it differently: in
 * styles, in lists beside their item, and in paragraphs that look like items.
 */
export function normalizeHtml(body: Element): void {
  for (const bold of body.querySelectorAll('b, strong')) if (weightOf(bold) === 'normal') unwrap(bold)
  for (const slanted of body.querySelectorAll('i, em'))
    if (styleOf(slanted).get('font-style') === 'normal') unwrap(slanted)
  for (const span of body.querySelectorAll(`span[${STYLE}*="block"]`)) separateBlock(span)
  arrangeBlocks(body)
  listsOfWord(body)
  listsOfWordOnline(body)
  for (const list of body.querySelectorAll('[data-indent]')) nestByIndent(list)
  keepLines(body)
  for (const styled of body.querySelectorAll(`span[${STYLE}], font[${STYLE}], a[${STYLE}]`))
    addFormatting(styled)
  for (const bold of body.querySelectorAll('b, strong')) if (bold.closest(HEADING)) unwrap(bold)
  for (const span of body.querySelectorAll('span, font')) unwrap(span)
  joinNeighbors(body)
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) moveIntoItem(list)
  for (const item of body.querySelectorAll('li')) simplifyItem(item)
  for (const block of body.querySelectorAll('pre')) wrapCode(block)
  for (const line of body.querySelectorAll('br')) if (isBetweenBlocks(line)) line.remove()
}

function weightOf(element: Element): 'bold' | 'normal' | undefined {
  const weight = styleOf(element).get('font-weight')
  if (weight === undefined || weight === '') return undefined
  return /^(?:bold|bolder|[6-9]\d\d|1000)/.test(weight) ? 'bold' : 'normal'
}

/** Wraps the content of a styled element in the elements for its style. */
function addFormatting(styled: Element): void {
  if ((styled.textContent ?? '').trim() === '') return
  const style = styleOf(styled)
  const line = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`
  if (line.includes('line-through')) wrapContent(styled, 's')
  if (/^(?:italic|oblique)/.test(style.get('font-style') ?? '') && !styled.closest('i, em'))
    wrapContent(styled, 'em')
  const [, raised] = /^(super|sub)$/.exec(style.get('vertical-align') ?? '') ?? []
  if (raised && !styled.closest('sup, sub')) wrapContent(styled, raised === 'super' ? 'sup' : 'sub')
  if (weightOf(styled) === 'bold' && !styled.closest('b, strong')) wrapContent(styled, 'strong')
}

function wrapContent(element: Element, name: string): void {
  const wrapper = element.ownerDocument.createElement(name)
  while (element.firstChild) wrapper.append(element.firstChild)
  element.append(wrapper)
}

export function unwrap(element: Element): void {
  while (element.firstChild) element.parentNode?.insertBefore(element.firstChild, element)
  element.remove()
}

/** Chats separate paragraphs by spans that are shown as blocks. */
function separateBlock(span: Element): void {
  if (styleOf(span).get('display') !== 'block') return
  const { ownerDocument: document } = span
  if ((span.textContent ?? '') === '') {
    span.replaceWith(document.createElement('br'), document.createElement('br'))
    return
  }
  const block = document.createElement('div')
  block.append(...span.childNodes)
  span.replaceWith(block)
}

/** Joins neighbors of the same formatting, whose marks would touch: `**a****b**`. */
function joinNeighbors(body: Element): void {
  for (const element of body.querySelectorAll('strong, b, em, i, s, del')) {
    const previous = element.previousSibling
    if (!previous || previous.nodeName !== element.nodeName) continue
    while (element.firstChild) previous.appendChild(element.firstChild)
    element.remove()
  }
}

/** Moves a list that stands beside its item into it. */
function moveIntoItem(list: Element): void {
  let item = list.previousElementSibling
  if (item?.nodeName !== 'LI') {
    item = list.ownerDocument.createElement('li')
    list.parentNode?.insertBefore(item, list)
  }
  item.append(list)
}

/** Joins a list with those before it by its indent: chats copy nested lists one after the other. */
function nestByIndent(list: Element): void {
  const indentOf = (one: Element | null) => Number(one?.getAttribute('data-indent') ?? Number.NaN)
  const indent = indentOf(list)
  let before = list.previousElementSibling
  while (before && indent > indentOf(before)) {
    const item: Element | null = before.lastElementChild
    const inner: Element | null = item?.lastElementChild ?? null
    if (!(indent >= indentOf(inner))) {
      item?.append(list)
      return
    }
    before = inner
  }
  if (before?.nodeName !== list.nodeName || indentOf(before) !== indent) return
  before.append(...list.children)
  list.remove()
}

/** Makes an item with one paragraph tight, and one that is a checkbox a task. */
function simplifyItem(item: Element): void {
  const box = item.querySelector('div.checkbox, [aria-roledescription="checkbox"], [role="checkbox"]')
  const written = takeWrittenBox(item)
  const checked = item.getAttribute('aria-checked') ?? item.getAttribute('data-checked')
  const isTask =
    item.getAttribute('role') === 'checkbox' ||
    (checked !== null && item.querySelector('input[type="checkbox"]') === null) ||
    box?.closest('li') === item ||
    written ||
    isListedAsTask(item)
  const isDone =
    checked === 'true' ||
    (box?.closest('li') === item &&
      (box.classList.contains('checkbox-on') || box.getAttribute('aria-checked') === 'true')) ||
    written === 'done' ||
    (isListedAsTask(item) && isMarkedDone(item))
  if (box?.closest('li') === item) box.remove()
  for (const label of item.querySelectorAll(':scope > label')) unwrap(label)
  for (let only = onlyParagraph(item); only; only = onlyParagraph(item)) unwrap(only)
  if (!isTask) return
  const input = item.ownerDocument.createElement('input')
  input.setAttribute('type', 'checkbox')
  if (isDone) input.setAttribute('checked', '')
  item.insertBefore(input, item.firstChild)
}

function onlyParagraph(item: Element): Element | undefined {
  const [only, ...others] = [...item.children].filter(
    ({ nodeName }) => nodeName === 'P' || nodeName === 'DIV',
  )
  return others.length === 0 ? only : undefined
}

/** Takes the box from the beginning of an item, which some programs write as text. */
function takeWrittenBox(item: Element): 'done' | 'open' | null {
  const first = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode()
  const text = first?.nodeValue ?? ''
  const [box] = /^\s{0,4}(?:\[[ xX]\]\s|[☐☑☒✓✔✅⬜]\uFE0F?\s)/u.exec(text) ?? []
  if (!first || box === undefined || first.parentElement?.closest('li, pre, code') !== item) return null
  first.nodeValue = text.slice(box.length).trimStart()
  return /[xX☑☒✓✔✅]/u.test(box) ? 'done' : 'open'
}

/** Confluence and Apple Notes mark the list, Evernote its style. */
const isListedAsTask = (item: Element) =>
  item.querySelector('input[type="checkbox"]') === null &&
  (/(?:^|[\s-])(?:task|check|todo|checkbox)[-_]?list/i.test(item.parentElement?.className ?? '') ||
    (item.parentElement !== null && styleOf(item.parentElement).get('--en-todo') === 'true'))

const isMarkedDone = (item: Element) =>
  item.classList.contains('checked') || styleOf(item).get('--en-checked') === 'true'

/** Makes preformatted text a block of code. */
function wrapCode(block: Element): void {
  const language = languageOf(block)
  separateLines(block)
  if (language !== '') removeLabel(block, language)
  for (const line of block.querySelectorAll('br')) line.replaceWith('\n')
  withoutNoBreaks(block)
  const only = block.firstElementChild
  if (only?.nodeName === 'CODE' && block.childNodes.length === 1) {
    if (language !== '') only.className = `language-${language}`
    return
  }
  const code = block.ownerDocument.createElement('code')
  code.textContent = block.textContent
  if (language !== '') code.className = `language-${language}`
  while (block.firstChild) block.firstChild.remove()
  block.append(code)
}

/** Makes the no-break spaces with which mail indents code spaces, because interpreters refuse them. */
function withoutNoBreaks(block: Element): void {
  const walker = block.ownerDocument.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode as Text
    text.data = text.data.replaceAll('\u00A0', ' ')
  }
}

function isBetweenBlocks(line: Element): boolean {
  const next = line.nextElementSibling
  const previous = line.previousElementSibling
  const isBlock = (element: Element | null) =>
    element === null || BLOCK.test(element.nodeName) || element.nodeName === 'BR'
  return (
    isBlock(next) && isBlock(previous) && (line.parentElement?.textContent ?? '') !== '' && !hasText(line)
  )
}

/** Whether there is text directly before or after a line break. */
const hasText = (line: Element) =>
  [line.previousSibling, line.nextSibling].some(
    (sibling) => sibling?.nodeType === 3 && (sibling.textContent ?? '').trim() !== '',
  )
