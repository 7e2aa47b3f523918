// The script of the search page of an exported site (vite.site.config.ts), which works by itself in a folder.

import type { MarkedText } from '#contract/search.ts'
import { markTitle, snippetOf } from '#server/search/snippet.ts'
import { type SiteDocument, searchSite } from './find.ts'

declare global {
  /** Filled by the files of the index. */
  var milepostSearch: SiteDocument[] | undefined
}

const SHOWN_MAX = 50
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

const script = document.currentScript

async function show(): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[name="q"]')
  const place = document.getElementById('found')
  const q = new URLSearchParams(location.search).get('q') ?? ''
  if (!input || !place) return
  input.value = q
  if (q.trim() === '') return
  document.title = `${q} – ${document.title}`
  place.replaceChildren(element('p', 'my-5 text-sm text-muted', 'Searching…'))
  const search = searchSite(q, SHOWN_MAX)
  for (let file = 1; file <= Number(script?.dataset.files); file += 1) search.look(await load(file))
  const { hits, count, words, unknown } = search.found()
  const status = element('p', 'my-5 text-sm text-muted', summaryOf(count, unknown))
  status.setAttribute('role', 'status')
  const list = element('ul', 'divide-y divide-line rounded-lg border border-line bg-raised shadow-sm')
  list.append(...hits.map((hit) => rowOf(hit, words)))
  place.replaceChildren(status, ...(hits.length > 0 ? [list] : []))
}

/** Loads a file of the index by a script, because a page in a folder cannot fetch. Only one of them is in memory at a time. */
async function load(file: number): Promise<SiteDocument[]> {
  const loading = document.createElement('script')
  loading.src = `search/${file}.js`
  await new Promise((resolve, reject) => {
    loading.addEventListener('load', resolve)
    loading.addEventListener('error', reject)
    document.head.append(loading)
  })
  loading.remove()
  const documents = globalThis.milepostSearch ?? []
  globalThis.milepostSearch = []
  return documents
}

function summaryOf(count: number, unknown: string[]): string {
  if (unknown.length > 0) return `No such filter: ${unknown.join(', ')}.`
  if (count === 0) return 'Nothing found. Try fewer or other words.'
  if (count > SHOWN_MAX) return `The first ${SHOWN_MAX} of ${count} results.`
  return count === 1 ? '1 result.' : `${count} results.`
}

function rowOf({ kind, title, path, on, milestone, text }: SiteDocument, words: string[]): HTMLElement {
  const link = element('a', 'after:absolute after:inset-0', ...marked(markTitle(title, words)))
  link.setAttribute('href', path)
  link.dir = 'auto'
  const heading = element('h2', 'font-reading text-lg font-medium break-words', link)
  const origin = element('p', 'mt-0.5 text-sm text-muted', kind === 'entry' ? 'Entry' : 'Milestone')
  if (milestone !== null) origin.append(' in ', element('bdi', '', milestone))
  if (on !== null) origin.append(`, ${day.format(new Date(on))}`)
  const row = element('article', 'relative p-4 hover:bg-hover sm:p-5', heading, origin)
  if (text !== '') {
    const passage = element(
      'p',
      'mt-1.5 line-clamp-3 text-ink break-words',
      ...marked(snippetOf(text, words)),
    )
    passage.dir = 'auto'
    row.append(passage)
  }
  return element('li', '', row)
}

function marked({ text, marks }: MarkedText): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = []
  let at = 0
  for (const { start, length } of marks) {
    parts.push(text.slice(at, start))
    parts.push(
      element('mark', 'rounded-xs bg-accent-soft text-accent-strong', text.slice(start, start + length)),
    )
    at = start + length
  }
  return [...parts, text.slice(at)]
}

function element(name: string, className: string, ...children: (string | Node)[]): HTMLElement {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.append(...children)
  return made
}

show().catch(() => {
  const failed = element(
    'p',
    'my-5 text-sm text-muted',
    'A file of the search cannot be loaded. Is the folder “search” there?',
  )
  document.getElementById('found')?.replaceChildren(failed)
})
