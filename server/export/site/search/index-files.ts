import type { WorldEntry } from '#contract/world.ts'
import { longTextOfHtml } from '#server/markdown/html-text.ts'
import type { SiteDocument } from './find.ts'

/** The length of the texts in a file of the index, so that no more of them is in memory at once. */
const FILE_MAX = 500_000
/** What a document adds to that besides its text: a file passes all its documents as arguments of one call, whose number is limited. */
const DOCUMENT_LENGTH = 200

type Line = { path: string; text: string }

/**
 * Collects what the search of a project finds, and writes it as scripts into its folder, from which a page can load them without a
 * server, too.
 */
export function createIndexFiles(folder: string, write: (line: Line) => Promise<void>) {
  let files = 0
  let documents: SiteDocument[] = []
  let length = 0

  async function flush() {
    if (documents.length === 0) return
    files += 1
    await write({
      path: `${folder}search/${files}.js`,
      text: `(self.milepostSearch ??= []).push(...${JSON.stringify(documents)})\n`,
    })
    documents = []
    length = 0
  }

  async function add(document: SiteDocument) {
    documents.push(document)
    length += DOCUMENT_LENGTH + document.text.length
    if (length > FILE_MAX) await flush()
  }

  return {
    addMilestone: ({ title, description }: { title: string; description: string }, path: string) =>
      add({
        kind: 'milestone',
        title,
        path: encoded(path.slice(folder.length)),
        on: null,
        milestone: null,
        tags: [],
        text: description,
      }),
    async addEntry({ entry, milestone }: WorldEntry, path: string) {
      const { title, happenedOn: on, tags, html } = entry
      const text = await longTextOfHtml(html)
      await add({
        kind: 'entry',
        title,
        path: encoded(path.slice(folder.length)),
        on,
        milestone: milestone.title,
        tags,
        text,
      })
    },
    /** Writes the rest, and returns the number of the files. */
    async end(): Promise<number> {
      await flush()
      return files
    },
  }
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Adds to the page of the search where its results go, and its script, which loads the files of the index one after the other. */
export function withScript(page: string, files: number, folder: string): string {
  const place =
    '<div id="found"></div><noscript><p class="mt-4 text-muted">The search needs scripts.</p></noscript>'
  const path = `${folder === '' ? '' : '../'}${SEARCH_SCRIPT}`
  const script = `<script src="${path}" data-files="${files}" defer></script>`
  return page.replace(
    /<\/div>(\s*)<\/main>/,
    (_end, space: string) => `${place}</div>${space}</main>${script}`,
  )
}

export const SEARCH_SCRIPT = 'search.js'
/** The file of the page. */
export const SEARCH_PAGE = 'search.html'
