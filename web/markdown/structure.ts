import { defaultUrlTransform } from 'react-markdown'

type Node = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

const heading = /^h[1-6]$/
const leadsOutside = /^(?:https?:)?\/\//i

function* descendants(node: Node): Generator<Node> {
  for (const child of node.children ?? []) {
    yield child
    yield* descendants(child)
  }
}

function set(node: Node, properties: Record<string, unknown>) {
  node.properties = { ...node.properties, ...properties }
}

/**
 * Headings start below the page's own h1 and go down one level at a time, whatever their writer did; `data-depth` keeps
 * the size that was meant.
 */
function levelHeadings(tree: Node) {
  let open: number[] = []
  for (const node of descendants(tree)) {
    if (!heading.test(node.tagName ?? '')) continue
    const depth = Number(node.tagName?.[1])
    open = [...open.filter((above) => above < depth), depth]
    node.tagName = `h${Math.min(6, open.length + 1)}`
    set(node, { 'data-depth': depth })
  }
}

function ownText(node: Node): string {
  if (node.tagName === 'ul' || node.tagName === 'ol') return ''
  return node.value ?? (node.children ?? []).map(ownText).join('')
}

/** The box of a task is read out with the words of its task. */
function nameTask(item: Node) {
  const content = item.children?.flatMap((child) =>
    child.tagName === 'p' ? (child.children ?? []) : [child],
  )
  const box = content?.find((child) => child.tagName === 'input')
  if (box) set(box, { ariaLabel: ownText(item).trim() || 'Task' })
}

/** The CSP allows no style attribute, which is what `align` would become. */
function alignCell(cell: Node) {
  const { align, ...properties } = cell.properties ?? {}
  if (align) cell.properties = { ...properties, 'data-align': align }
}

/** A link whose words are its address needs it but once on paper. */
function markLink(link: Node) {
  const [words, href] = [ownText(link), link.properties?.href]
  if (href === words || href === `http://${words}`) set(link, { 'data-bare': true })
  if (leadsOutside.test(String(link.properties?.href))) set(link, { rel: 'nofollow ugc noopener' })
}

function lightenImage(image: Node) {
  const { src, alt } = image.properties ?? {}
  if (typeof src === 'string' && defaultUrlTransform(src)) {
    set(image, { loading: 'lazy', decoding: 'async', referrerPolicy: 'no-referrer' })
    return
  }
  Object.assign(image, { type: 'text', tagName: undefined, value: typeof alt === 'string' ? alt : '' })
}

/** What may be wider than the page scrolls by itself, and so must be reachable by the keyboard. */
function letScroll(label: string): (node: Node) => void {
  return (node) => set(node, { role: 'group', ariaLabel: label, tabIndex: 0 })
}

function wrapTable(table: Node) {
  const inner = { ...table }
  Object.assign(table, { tagName: 'div', properties: { className: 'prose-scroll' }, children: [inner] })
  letScroll('Table')(table)
}

const steps: Record<string, (node: Node) => void> = {
  li: nameTask,
  th: alignCell,
  td: alignCell,
  a: markLink,
  img: lightenImage,
  pre: letScroll('Code'),
  table: wrapTable,
}

/** The rehype step that gives written Markdown what a page needs: order, names, reach, restraint. */
export function pageStructure() {
  return (tree: Node) => {
    levelHeadings(tree)
    // Collected first, because the steps change what is walked.
    const nodes = Array.from(descendants(tree))
    for (const node of nodes) steps[node.tagName ?? '']?.(node)
  }
}
