import type { MarkdownIt, Token } from 'markdown-it'

type Note = { id: number; subId?: number }

const noteOf = (token: Token | undefined): Note => (token?.meta as Note | null | undefined) ?? { id: 0 }
const number = ({ id }: Note) => id + 1
/** Each place that refers to a note has an id of its own. */
const place = (note: Note) => (note.subId ? `${number(note)}-${note.subId + 1}` : `${number(note)}`)

/** Footnotes with ids of their own prefix and with names for their links. */
export function footnoteMarkup(md: MarkdownIt): void {
  // GitHub has no notes within the line; they are also the one rule here that would parse text again and again.
  md.inline.ruler.disable('footnote_inline')
  Object.assign(md.renderer.rules, {
    footnote_ref: (tokens: Token[], index: number) => {
      const note = noteOf(tokens[index])
      const link = `href="#footnote-${number(note)}" id="footnote-ref-${place(note)}"`
      return `<sup><a ${link} aria-label="Footnote ${number(note)}">${number(note)}</a></sup>`
    },
    footnote_block_open: () => '<section class="footnotes" aria-label="Footnotes">\n<ol>\n',
    footnote_block_close: () => '</ol>\n</section>\n',
    footnote_open: (tokens: Token[], index: number) =>
      `<li id="footnote-${number(noteOf(tokens[index]))}">\n`,
    footnote_close: () => '</li>\n',
    footnote_anchor: (tokens: Token[], index: number) => {
      const label = `Back to reference ${place(noteOf(tokens[index]))}`
      return ` <a href="#footnote-ref-${place(noteOf(tokens[index]))}" aria-label="${label}">\u21a9\ufe0e</a>`
    },
  })
}
