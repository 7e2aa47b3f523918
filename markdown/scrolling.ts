import type { MarkdownIt, RendererRule, StateCore } from 'markdown-it'

const reachable = (label: string) => `role="group" aria-label="${label}" tabindex="0"`

/** Tables and code may be wider than the page: they scroll by themselves, and the keyboard must reach them for that. */
export function scrollingBlocks(md: MarkdownIt): void {
  const { rules } = md.renderer
  rules.table_open = () => `<div class="prose-scroll" ${reachable('Table')}><table>\n`
  rules.table_close = () => '</table></div>\n'
  for (const name of ['code_block', 'fence'] as const) {
    const written = rules[name] as RendererRule
    rules[name] = (...given) => written(...given).replace(/^<pre>/, `<pre ${reachable('Code')}>`)
  }
  md.core.ruler.push('align_cells', alignCells)
}

/** The content security policy allows no style attribute. */
function alignCells({ tokens }: StateCore): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const [, side] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? []
    token.attrs = side === undefined ? null : [['data-align', side]]
  }
}
