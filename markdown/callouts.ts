import type { MarkdownIt, StateCore, Token } from 'markdown-it'

const marker = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** GitHub's alerts: a quote that begins with `[!NOTE]` or another kind, and is not within something else. */
export function callouts(md: MarkdownIt): void {
  md.core.ruler.after('block', 'callouts', findCallouts)
  md.renderer.rules.blockquote_open = (tokens, index, options, _env, renderer) => {
    const token = tokens[index] as Token
    const kind = token.meta?.callout as string | undefined
    if (!kind) return renderer.renderToken(tokens, index, options)
    const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
    return `<blockquote class="callout" role="note" data-callout="${kind}">\n<p class="callout-title"><strong>${title}</strong></p>\n`
  }
}

function findCallouts(state: StateCore): void {
  const { tokens } = state
  const taken = new Set<number>()
  tokens.forEach((token, index) => {
    const inline = tokens[index + 2]
    if (token.type !== 'blockquote_open' || token.level > 0 || inline?.type !== 'inline') return
    const [written, kind] = marker.exec(inline.content) ?? []
    if (written === undefined || !kind || tokens[index + 1]?.type !== 'paragraph_open') return
    const isAlone = written.length === inline.content.length
    if (isAlone && tokens[index + 4]?.type === 'blockquote_close') return
    token.meta = { callout: kind.toLowerCase() }
    inline.content = inline.content.slice(written.length)
    if (inline.map) inline.map = [inline.map[0] + 1, inline.map[1]]
    if (isAlone) for (const offset of [1, 2, 3]) taken.add(index + offset)
  })
  if (taken.size > 0) state.tokens = tokens.filter((_token, index) => !taken.has(index))
}
