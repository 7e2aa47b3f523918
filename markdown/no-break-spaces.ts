import type { MarkdownIt, StateCore } from 'markdown-it'

/** Matches a no-break space after the mark of a heading or an item. */
const typed = /^([ \t>]*(?:[-*+][ \t]+)*(?:#{1,6}|[-+]))\u00A0/gm

/** Reads a no-break space after such a mark as a space: on many keyboards of a Mac, the key that types `#` is still held. */
export function noBreakSpaces(md: MarkdownIt): void {
  md.core.ruler.after('normalize', 'no_break_spaces', (state: StateCore) => {
    if (state.src.includes('\u00A0')) state.src = state.src.replace(typed, '$1 ')
  })
}
