import TurndownService from 'turndown'

/** Turns HTML into Markdown. Nothing of it runs, and what would run is dropped. */
export function createHtmlReader(): (html: string) => string {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  })
  service.remove(['script', 'style', 'noscript', 'template', 'head', 'object', 'form'])
  service.addRule('strikethrough', {
    filter: ['del', 's'],
    replacement: (content) => `~~${content}~~`,
  })
  service.addRule('embedded', {
    filter: ['iframe', 'video', 'audio'],
    replacement(content, node) {
      const address = addressOf(node)
      if (address === '') return content
      return node.nodeName === 'IFRAME' ? `\n\n<${address}>\n\n` : `\n\n![](${address})\n\n`
    },
  })
  service.addRule('figures', {
    filter: 'figure',
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  })
  service.addRule('tables', { filter: 'table', replacement: (_content, node) => tableOf(node) })
  return (html) => service.turndown(html).trim()
}

type Node = {
  getAttribute?: (name: string) => string | null
  querySelectorAll?: (selector: string) => Iterable<Node>
  textContent?: string | null
}

function addressOf(node: unknown): string {
  const { getAttribute, querySelectorAll } = node as Node
  const own = getAttribute?.call(node, 'src') ?? ''
  const [source] = querySelectorAll ? [...querySelectorAll.call(node, 'source')] : []
  const address = own || (source?.getAttribute?.call(source, 'src') ?? '')
  return /^(?:https?:|\/|[^:\s]+$)/i.test(address) ? address : ''
}

/** A table of Markdown has its texts without format. */
function tableOf(node: unknown): string {
  const { querySelectorAll } = node as Node
  const rows = querySelectorAll ? [...querySelectorAll.call(node, 'tr')] : []
  const lines = rows.map((row) => {
    const cells = row.querySelectorAll ? [...row.querySelectorAll.call(row, 'th, td')] : []
    return cells.map(({ textContent }) =>
      (textContent ?? '').replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim(),
    )
  })
  const width = Math.max(0, ...lines.map(({ length }) => length))
  if (width === 0) return ''
  const line = (cells: string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  const [head = [], ...rest] = lines
  return `\n\n${[line(head), line(Array.from({ length: width }, () => '---')), ...rest.map(line)].join('\n')}\n\n`
}
