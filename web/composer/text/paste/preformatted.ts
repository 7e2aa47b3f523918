import { STYLE, styleOf } from './copied-styles.ts'

const BLOCKS = 'div, p, ol, ul, table'

/**
 * Keeps the lines of texts whose style says that their line feeds are shown: code that an editor copied becomes code, and other line feeds, as of chats, become line breaks.
 */
export function keepLines(body: Element): void {
  for (const line of body.querySelectorAll(`div[${STYLE}]`)) joinLines(line)
  for (const element of body.querySelectorAll(`[${STYLE}]`)) {
    const style = styleOf(element)
    const isEvernoteCode = style.get('-en-codeblock') === 'true' || style.get('--en-codeblock') === 'true'
    if (!(isEvernoteCode || showsLines(style)) || !body.contains(element)) continue
    if (element.closest('pre, code') || element.querySelector('pre')) continue
    if (isMonospaced(style) && isCode(element)) {
      const lines = linesOf(element)
      const block = body.ownerDocument.createElement(lines.length > 1 ? 'pre' : 'code')
      block.textContent = lines.join('\n')
      element.replaceWith(block)
    } else breakLines(element)
  }
}

type Style = ReadonlyMap<string, string>

const showsLines = (style: Style) =>
  /^(?:pre|break-spaces)/.test(style.get('white-space') ?? style.get('white-space-collapse') ?? '')

const isMonospaced = (style: Style) => /mono|courier|consolas|menlo/.test(style.get('font-family') ?? '')

/** Joins a line of code and those below it, of which a part of an editor is copied without what is around them. */
function joinLines(first: Element): void {
  const lines: Element[] = []
  for (let next: Element | null = first; next && isLineOfCode(next); next = nextLine(next)) lines.push(next)
  if (!first.isConnected || lines.length < 2) return
  const block = first.ownerDocument.createElement('pre')
  block.textContent = lines.map((line) => (line.textContent ?? '').replaceAll('\u00A0', ' ')).join('\n')
  first.before(block)
  for (const line of lines) line.remove()
}

/** Returns the next element, unless words are before it. */
const nextLine = ({ nextSibling, nextElementSibling }: Element) =>
  nextSibling === nextElementSibling || (nextSibling?.textContent ?? '').trim() === ''
    ? nextElementSibling
    : null

function isLineOfCode(element: Element): boolean {
  const style = styleOf(element)
  const isLine = element.nodeName === 'DIV' && !element.querySelector(`${BLOCKS}, pre, br + *`)
  return isLine && showsLines(style) && isMonospaced(style) && !element.closest('pre, code')
}

/** An editor copies each line of code as a `div`; a terminal copies a `div` with line breaks. */
const isCode = (element: Element) =>
  element.children.length > 0 && (hasLineElements(element) || isOfTerminal(element))

const hasLineElements = (element: Element) =>
  [...element.children].every(({ nodeName }) => nodeName === 'DIV' || nodeName === 'BR')

const isOfTerminal = (element: Element) =>
  element.nodeName === 'DIV' && element.querySelector('br') !== null && !element.querySelector(BLOCKS)

function linesOf(element: Element): string[] {
  if (hasLineElements(element))
    return [...element.children].map((line) => (line.textContent ?? '').replaceAll('\u00A0', ' '))
  for (const line of element.querySelectorAll('br')) line.replaceWith('\n')
  return (element.textContent ?? '').trimEnd().split('\n')
}

function breakLines(element: Element): void {
  const document = element.ownerDocument
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    const lines = text.data.split('\n')
    // Between blocks a line feed only separates tags.
    if (lines.length < 2 || (text.data.trim() === '' && text.parentElement?.querySelector(BLOCKS))) continue
    text.replaceWith(
      ...lines.flatMap((line, index) => (index === 0 ? [line] : [document.createElement('br'), line])),
    )
  }
}
