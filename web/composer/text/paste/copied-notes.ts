import { FOOTNOTE } from '#markdown/from-html.ts'
import { STYLE } from './copied-styles.ts'

/** The notes of Word, LibreOffice and Substack: their texts, and what refers to one. */
const NOTES = 'div.footnote[id], div[id^="ftn"], div[id^="edn"], div[id^="sdfootnote"], div[id^="sdendnote"]'
const NOTES_MAX = 500

/** Returns the links to places within a text by the ids of these. */
function linksByTarget(body: Element): Map<string, Element[]> {
  const links = new Map<string, Element[]>()
  for (const link of body.querySelectorAll('a[href*="#"]')) {
    const target = (link.getAttribute('href') ?? '').split('#')[1] ?? ''
    const known = links.get(target)
    if (known) known.push(link)
    else links.set(target, [link])
  }
  return links
}

/** Makes the footnotes and endnotes of office programs notes, and removes the marks of their comments. */
export function readNotes(body: Element): void {
  for (const comment of body.querySelectorAll('.MsoCommentReference, .msocomanchor, .msocomtxt'))
    comment.remove()
  for (const number of body.querySelectorAll('.footnote > a.footnote-number')) {
    if (number.parentElement) number.parentElement.id = number.id
  }
  const notes = Array.from(body.querySelectorAll(NOTES)).slice(0, NOTES_MAX)
  const links = linksByTarget(body)
  for (const [index, note] of notes.entries()) {
    const label = String(index + 1)
    const targets = [note.id, `_${note.id}`, `${note.id}sym`]
    const references = targets.flatMap((target) => links.get(target) ?? [])
    if (references.length === 0) continue
    note.querySelector('a')?.remove()
    for (const link of references) {
      const mark = body.ownerDocument.createElement('sup')
      mark.setAttribute(FOOTNOTE, label)
      mark.textContent = label
      ;(link.closest('sup') ?? link).replaceWith(mark)
    }
    note.setAttribute(FOOTNOTE, label)
  }
  for (const list of body.querySelectorAll(
    `[${STYLE}*="mso-element:footnote-list"], [${STYLE}*="mso-element:endnote-list"]`,
  ))
    for (const line of list.querySelectorAll('hr')) line.remove()
}
