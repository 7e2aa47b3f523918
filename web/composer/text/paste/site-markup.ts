import { CALLOUT, FOOTNOTE } from '#markdown/from-html.ts'
import { isEmoji } from './block-structure.ts'
import { makeCallouts } from './boxes.ts'
import { readCode } from './code-lines.ts'
import { readCodeTables } from './code-tables.ts'
import { readNotes } from './copied-notes.ts'
import { STYLE, styleOf } from './copied-styles.ts'

/** Buttons beside code, links to the editor of a section, and fonts of icons, whose text is the name of one. */
const CONTROLS =
  'button, clipboard-copy, .mw-editsection, mat-icon, .material-icons, [class*="material-symbols"], [class*="language-"] > span.lang'
const COPIES = /^(?:copy|copied!?|copy code|copy page|edit|run|expand|collapse|wrap)?$/i

/**
 * Reads what sites and office programs say by classes and styles, and removes what they do not show or what only operates their page.
 */
export function readSiteMarkup(body: Element): void {
  for (const element of body.querySelectorAll(`[hidden], [${STYLE}]`)) if (isHidden(element)) element.remove()
  for (const control of body.querySelectorAll(CONTROLS)) if (isControl(control)) control.remove()
  for (const image of body.querySelectorAll('img')) if (isEmoji(image.alt)) image.replaceWith(image.alt)
  // Joplin has the source of code and formulas beside what it shows.
  for (const source of body.querySelectorAll('.joplin-source')) source.remove()
  for (const toggle of body.querySelectorAll('.kg-toggle-card')) makeDetails(toggle)
  for (const alert of body.querySelectorAll('.markdown-alert')) makeCallout(alert)
  for (const title of body.querySelectorAll(`blockquote[${CALLOUT}] > .callout-title`)) title.remove()
  for (const link of body.querySelectorAll(PERMALINKS)) if (isPermalink(link)) link.remove()
  makeCallouts(body)
  readCodeTables(body)
  readCode(body)
  readNotes(body)
  for (const tasks of body.querySelectorAll('[data-node-type="actionList"]')) makeTasks(tasks)
  for (const figure of body.querySelectorAll('figure')) captionPicture(figure)
  for (const term of body.querySelectorAll('dt')) embolden(term)
  for (const title of body.querySelectorAll('.footnotes > .sr-only')) title.remove()
  for (const note of body.querySelectorAll('.footnotes li[id]')) makeFootnote(body, note)
  for (const quote of body.querySelectorAll('q')) quote.replaceWith('“', ...quote.childNodes, '”')
  for (const caption of body.querySelectorAll('caption')) caption.closest('table')?.before(paragraph(caption))
  for (const frame of body.querySelectorAll('iframe, video, audio')) replaceByLink(frame)
}

/** The links to themselves that pages put beside headings, within them. */
const PERMALINKS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', '.heading']
  .map((name) => `${name} a`)
  .join(', ')

const isPermalink = (link: Element) =>
  /^(?:#|¶|§|🔗|\u200B|\uFE0F|permalink)*$/iu.test((link.textContent ?? '').trim()) &&
  !link.querySelector('img')

/**
 * Office programs copy hidden text and the rows that a filter hides, mail the text for its preview, and browsers what pages clip because
 * only screen readers shall read it.
 */
function isHidden(element: Element): boolean {
  const style = styleOf(element)
  const isClipped =
    style.get('position') === 'absolute' &&
    /^(?:rect\(|inset\()/.test(style.get('clip') ?? style.get('clip-path') ?? '')
  return (
    element.hasAttribute('hidden') ||
    style.get('display') === 'none' ||
    style.get('mso-hide') === 'all' ||
    isClipped
  )
}

const isControl = (element: Element) =>
  element.getAttribute('role') !== 'checkbox' &&
  (element.localName !== 'button' || COPIES.test((element.textContent ?? '').trim()))

/** GitHub shows `> [!NOTE]` as a box with a title. */
function makeCallout(alert: Element): void {
  const [, kind] = /markdown-alert-(note|tip|important|warning|caution)\b/.exec(alert.className) ?? []
  if (kind === undefined) return
  alert.querySelector('.markdown-alert-title')?.remove()
  const quote = alert.ownerDocument.createElement('blockquote')
  quote.setAttribute(CALLOUT, kind.toUpperCase())
  quote.append(...alert.childNodes)
  alert.replaceWith(quote)
}

/** Confluence copies its tasks as `div`. What else is there stays below them. */
function makeTasks(tasks: Element): void {
  const { ownerDocument: document } = tasks
  const list = document.createElement('ul')
  for (const task of tasks.querySelectorAll('[data-task-state]')) {
    const item = document.createElement('li')
    item.setAttribute('data-checked', String(task.getAttribute('data-task-state') === 'DONE'))
    item.append(...task.childNodes)
    list.append(item)
    task.remove()
  }
  tasks.prepend(list)
}

/** Ghost shows text that opens with a heading and a button. */
function makeDetails(toggle: Element): void {
  const { ownerDocument: document } = toggle
  const [details, summary] = [document.createElement('details'), document.createElement('summary')]
  summary.textContent = toggle.querySelector('.kg-toggle-heading-text')?.textContent ?? ''
  details.append(summary, ...(toggle.querySelector('.kg-toggle-content')?.childNodes ?? []))
  toggle.replaceWith(details)
}

/** Writes the caption of a picture as the composer does, unless it has links. */
function captionPicture(figure: Element): void {
  const [image, ...others] = figure.querySelectorAll('img')
  const caption = figure.querySelector('figcaption')
  if (!image || others.length > 0 || !caption || caption.querySelector('a')) return
  const words = (caption.textContent ?? '').split(/\s+/).join(' ').trim()
  if (words !== '') image.setAttribute('title', words)
  caption.remove()
}

/** Markdown has no lists of definitions; their terms are in bold. */
function embolden(term: Element): void {
  const strong = term.ownerDocument.createElement('strong')
  strong.append(...term.childNodes)
  const line = term.ownerDocument.createElement('p')
  line.append(strong)
  term.append(line)
}

/** Numbers a footnote, as the pages of GitHub, Pandoc and Milepost show it, and its references in the text. */
function makeFootnote(body: Element, note: Element): void {
  const label = String(Array.from(note.parentElement?.children ?? []).indexOf(note) + 1)
  const references = Array.from(body.querySelectorAll('a[href*="#"]')).filter(
    (link) => link.getAttribute('href')?.split('#')[1] === note.id,
  )
  if (references.length === 0) return
  for (const link of references) {
    const mark = body.ownerDocument.createElement('sup')
    mark.setAttribute(FOOTNOTE, label)
    mark.textContent = label
    ;(link.closest('sup') ?? link).replaceWith(mark)
  }
  for (const back of note.querySelectorAll('a'))
    if (/^[\u21A9\s\d]{1,4}$/u.test((back.textContent ?? '').replace('\uFE0E', ''))) back.remove()
  const text = body.ownerDocument.createElement('div')
  text.setAttribute(FOOTNOTE, label)
  text.append(...note.childNodes)
  note.closest('ol, ul')?.before(text)
  note.remove()
}

function paragraph(caption: Element): Element {
  const block = caption.ownerDocument.createElement('p')
  block.append(...caption.childNodes)
  caption.remove()
  return block
}

/** What plays on a page becomes its address, which plays here too if it is a video that can be shown. */
function replaceByLink(frame: Element): void {
  const address = frame.getAttribute('src') ?? frame.querySelector('source')?.getAttribute('src') ?? ''
  if (!/^(?:https?:)?\/\//i.test(address)) return
  const link = frame.ownerDocument.createElement('a')
  link.href = pageOf(address.replace(/^\/\//, 'https://'))
  link.textContent = link.href
  const block = frame.ownerDocument.createElement('p')
  block.append(link)
  frame.replaceWith(block)
}

/** Returns the page of a video whose player has this address. */
const pageOf = (player: string) =>
  player
    .replace(
      /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{11})\b.*$/i,
      'https://www.youtube.com/watch?v=$1',
    )
    .replace(/^https?:\/\/player\.vimeo\.com\/video\/(\d{1,20})\b.*$/i, 'https://vimeo.com/$1')

/** Not `lang`, which elsewhere is that of words. */
const namedLanguage = (element: Element | null | undefined) =>
  ['data-lang', 'data-language', 'data-canonical-lang']
    .map((name) => element?.getAttribute(name) ?? '')
    .find((name) => name !== '') ?? ''

/** Names of no language that stand where others name it. */
const UNNAMED = /^(?:text|plaintext|plain|none|default|source|txt|nohighlight)$/i

/** Returns the language of a block of code: sites name it at the code, at the block, or at what is around it. */
export function languageOf(block: Element): string {
  const around = [block.querySelector('code'), block, block.parentElement, block.parentElement?.parentElement]
  for (const element of around) {
    const [, name = namedLanguage(element)] =
      /(?:^|\s)(?:highlight-source|highlight-text|highlight(?=-)|language|lang|brush:)-?([\w+#]{1,30})/i.exec(
        element?.className ?? '',
      ) ?? []
    if (/^[\w+#]{1,30}$/.test(name) && !UNNAMED.test(name)) return name.toLowerCase()
  }
  return ''
}

/** Removes the name of the language that chats write above a block of code. */
export function removeLabel(block: Element, language: string): void {
  let inner = block
  while (inner.parentElement && inner.previousElementSibling === null) {
    if (inner.parentElement.nodeName === 'BODY') return
    inner = inner.parentElement
  }
  const label = inner.previousElementSibling
  if (label?.textContent?.trim().toLowerCase() === language) label.remove()
}
