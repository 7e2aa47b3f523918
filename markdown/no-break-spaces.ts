import type { MarkdownIt, StateCore } from 'markdown-it'

/** Matches a no-break space after the mark of a heading or an item. */
const typed = /^([ \t>]*(?:[-*+][ \t]+)*(?:#{1,6}|[-+]))\u00A0/gm

/** Matches characters without width before the mark of a block. */
const invisible = /^[\u200B\u2060\uFEFF]{1,3}(?=#{1,6}[ \t]|[-*+>|]|\d{1,9}[.)][ \t]|`{3}|~{3})/gm

/** Reads a no-break space after such a mark as a space: on many keyboards of a Mac, the key that types `#` is still held. Characters without width before
 * a mark, which pages and chats copy along, are spaces too, so that every position in the text stays. */
export function noBreakSpaces(md: MarkdownIt): void {
  md.core.ruler.after('normalize', 'no_break_spaces', (state: StateCore) => {
    if (state.src.includes('\u00A0')) state.src = state.src.replace(typed, '$1 ')
    state.src = state.src.replace(invisible, (found) => ' '.repeat(found.length))
  })
}
