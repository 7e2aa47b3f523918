const BLOCKS =
  'address, article, aside, blockquote, div, dl, figure, h1, h2, h3, h4, h5, h6, header, footer, main, ol, p, pre, section, table, ul, li, hr'
const AROUND_TEXT = 'a, b, strong, i, em, s, del'

/**
 * Gives copied HTML the structure of Markdown, in which emphasis and links are within blocks, and tables within nothing else. Pages
 * have links around whole cards, bold around paragraphs, and tables for their layout.
 */
export function arrangeBlocks(body: Element): void {
  for (const block of body.querySelectorAll('pre')) keepCodeOnly(block)
  for (const table of body.querySelectorAll('table')) if (isLayout(table)) replaceByCells(table)
  for (const link of body.querySelectorAll('a')) if (isEmpty(link)) link.remove()
  // In the order of the document, so the outer ones come first and are cut again further in.
  for (const around of body.querySelectorAll(AROUND_TEXT))
    if (around.querySelector(BLOCKS)) moveIntoBlocks(around)
}

/** Chats put the name of the language and buttons above the code, within the block; words directly beside it are of the block. */
function keepCodeOnly(block: Element): void {
  const codes = block.querySelectorAll('code')
  const hasWords = Array.from(block.childNodes).some(
    ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && (nodeValue ?? '').trim() !== '',
  )
  if (codes.length === 1 && codes[0] && !hasWords) block.replaceChildren(codes[0])
}

const isLayout = (table: HTMLTableElement) =>
  /^(?:presentation|none)$/.test(table.getAttribute('role') ?? '') ||
  table.querySelector('table') !== null ||
  table.querySelectorAll('th, td').length === 1

/** Replaces a table that arranges a page by the contents of its cells. */
function replaceByCells(table: HTMLTableElement): void {
  const cells = [...table.rows].flatMap((row) => [...row.cells])
  table.replaceWith(
    ...cells.map((cell) => {
      const block = table.ownerDocument.createElement('div')
      block.append(...cell.childNodes)
      return block
    }),
  )
}

/** Whether a picture's description is an emoji or its name, such as `:tada:`: chats show emoji as pictures. */
export const isEmoji = (text: string) =>
  text.length <= 40 && /^\p{Emoji_Presentation}|^\p{Emoji}\uFE0F|^:[\w+-]+:$/u.test(text)

const isEmpty = (link: Element) => (link.textContent ?? '').trim() === '' && !link.querySelector('img')

/** Replaces an element by copies of it within the blocks that it is around. */
function moveIntoBlocks(around: Element): void {
  wrapRuns(around, around)
  around.replaceWith(...around.childNodes)
}

/** Wraps each run of text between the blocks of an element, and within them. */
function wrapRuns(parent: Element, around: Element): void {
  let run: Node[] = []
  const wrapRun = () => {
    if (run.some(hasContent)) {
      const copy = around.cloneNode() as Element
      run[0]?.parentNode?.insertBefore(copy, run[0])
      copy.append(...run)
    }
    run = []
  }
  for (const child of Array.from(parent.childNodes)) {
    if (!(child instanceof Element) || !(child.matches(BLOCKS) || child.querySelector(BLOCKS)))
      run.push(child)
    else {
      wrapRun()
      if (!child.matches('pre, hr')) wrapRuns(child, around)
    }
  }
  wrapRun()
}

const hasContent = (node: Node) =>
  (node.textContent ?? '').trim() !== '' ||
  (node instanceof Element && (node.matches('img') || node.querySelector('img') !== null))
