import { type Converting, nameOf } from '#server/import/converting/documents.ts'
import { decoded } from '#server/import/converting/links.ts'
import type { Item } from '#server/import/items.ts'
import { convertMarkdown } from '#server/import/markdown/convert.ts'
import { splitPage } from './pages.ts'

/** The id at the end of each name. */
const ID = /[ -]([\da-f]{32})(?=\.[a-z]+$|$)/i

/** What Notion calls its archives, and the folder in one. */
const EXPORT = /^(?:[\da-f-]+_)?Export(?:Block)?-[\da-f-]+(?:-Part-\d+)?$/i

/**
 * Turns an export of Notion, in Markdown or HTML, into a project: pages with pages below them become milestones. The names that
 * Notion gives to files and folders end with ids, which the titles lose and by which a page is known.
 */
export const convertNotion = (converting: Converting): AsyncGenerator<Item> =>
  convertMarkdown(converting, {
    tidy: (name) => (EXPORT.test(name) ? 'Notion' : name.replace(ID, '').trim()),
    keyOf: ({ path }) => ID.exec(nameOf(path))?.[1]?.toLowerCase(),
    // The list of all pages, which Notion adds.
    isText: (path) => !/^(?:[^/]+\/)?index\.html$/.test(path),
    split: splitPage,
    resolve: (target) => {
      const [, page] =
        /^https?:\/\/(?:www\.)?notion\.(?:so|site)\/(?:[^\s?#]*[-/])?([\da-f]{32})(?:[?#]|$)/i.exec(target) ??
        []
      if (page !== undefined) return page.toLowerCase()
      return /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(target) ? undefined : decoded(target)
    },
  })
