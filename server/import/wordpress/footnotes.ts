import { FOOTNOTE } from '#markdown/from-html.ts'
import { recordsIn, textIn } from '#server/import/converting/records.ts'

const REFERENCE = /<sup\b[^<>]{0,300}?\bdata-fn=["']([^"'<>]{1,100})["'][^<>]{0,300}>[\s\S]{0,500}?<\/sup>/g

/** Puts the footnotes of a post, which WordPress keeps beside its text as a list in JSON, at its end. */
export function withFootnotes(html: string, json: string): string {
  const notes = new Map(
    notesIn(json).map((note, at) => [
      textIn(note, 'id'),
      { label: at + 1, text: textIn(note, 'content') ?? '' },
    ]),
  )
  if (notes.size === 0) return html
  const text = html.replaceAll(REFERENCE, (whole, id: string) => {
    const note = notes.get(id)
    return note ? `<sup ${FOOTNOTE}="${note.label}">${note.label}</sup>` : whole
  })
  const shown = [...notes.values()].map(({ label, text }) => `<div ${FOOTNOTE}="${label}">${text}</div>`)
  return text + shown.join('')
}

function notesIn(json: string) {
  try {
    return recordsIn({ notes: JSON.parse(json) as unknown }, 'notes')
  } catch {
    return [] // There are none.
  }
}
