import { nameOf } from '#server/import/converting/documents.ts'
import type { ProblemList } from '#server/import/items.ts'
import { splitFrontMatter } from './front-matter.ts'

/** The list of the texts of an export of Substack, which are pages without title and date, called by their id. */
export const LIST_OF_SUBSTACK = /^(?:[^/]+\/)?posts\.csv$/

const TEXTS = /^(?:[^/]+\/)?posts\/[^/]+\.html$/
export const isOfSubstack = (path: string): boolean => TEXTS.test(path)

/** Returns a function that divides a page of Substack into what the list says of it and its text. */
export function splitSubstack(list: string, problems: ProblemList) {
  const [names = [], ...rows] = rowsOf(list)
  const facts = new Map(
    rows.map((row) => {
      const one = Object.fromEntries(names.map((name, at) => [name, row[at] ?? '']))
      return [one.post_id ?? '', one]
    }),
  )
  return (whole: string, { path }: { path: string }): ReturnType<typeof splitFrontMatter> => {
    const found = facts.get(nameOf(path).replace(/\.html$/, ''))
    if (!found) return splitFrontMatter(whole)
    const { title = '', post_date: date = '', is_published: isPublished, audience, subtitle = '' } = found
    const isHidden = audience !== undefined && audience !== '' && audience !== 'everyone'
    if (isHidden) problems.add('not everybody could read it there, and it comes as a draft', path)
    return {
      matter: {
        ...(title !== '' && { title }),
        ...(date !== '' && { date }),
        draft: isHidden || isPublished === 'false',
      },
      text:
        subtitle === ''
          ? whole
          : `<p>${subtitle.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>${whole}`,
      isBroken: false,
    }
  }
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g

/** Returns the cells of a table in CSV. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.replace(/^\uFEFF/, '').matchAll(CELL)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') break
    if (end !== ',') rows.push([])
  }
  return rows
}
