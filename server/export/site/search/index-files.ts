import type { WorldEntry } from '#contract/world.ts'
import { longTextOfHtml } from '#server/search/text.ts'
import type { SiteDocument } from './find.ts'

/** The length of the texts in a file of the index, so that no more of them is in memory at once. */
const FILE_MAX = 500_000
/** What a document adds to that besides its text: a file passes all its documents as arguments of one call, whose number is limited. */
const DOCUMENT_LENGTH = 200

type Line = { path: string; text: string }

/** Collects what the search of a site finds, and writes it as scripts, which a page can load from a folder, too. */
export function createIndexFiles(write: (line: Line) => Promise<void>) {
  const paths: string[] = []
  let documents: SiteDocument[] = []
  let length = 0

  async function flush() {
    if (documents.length === 0) return
    const path = `search/${paths.length + 1}.js`
    paths.push(path)
    await write({
      path,
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
    addMilestone: ({ title, description, path }: { title: string; description: string; path: string }) =>
      add({
        kind: 'milestone',
        title,
        path: encoded(path),
        on: null,
        milestone: null,
        tags: [],
        text: description,
      }),
    async addEntry({ entry, milestone }: WorldEntry, path: string) {
      const { title, happenedOn: on, tags, html } = entry
      const text = await longTextOfHtml(html)
      await add({ kind: 'entry', title, path: encoded(path), on, milestone: milestone.title, tags, text })
    },
    /** Writes the rest, and returns the paths of the files. */
    async end(): Promise<string[]> {
      await flush()
      return paths
    },
  }
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Adds to the page of the search where its results go, and its scripts. */
export function withScripts(page: string, paths: readonly string[]): string {
  const place =
    '<div id="found"></div><noscript><p class="mt-4 text-muted">The search needs scripts.</p></noscript>'
  const scripts = [...paths, SEARCH_SCRIPT].map((path) => `<script src="${path}" defer></script>`)
  return page.replace(
    /<\/div>(\s*)<\/main>/,
    (_end, space: string) => `${place}</div>${space}</main>${scripts.join('')}`,
  )
}

export const SEARCH_SCRIPT = 'search.js'
/** The file of the page. */
export const SEARCH_PAGE = 'search.html'
