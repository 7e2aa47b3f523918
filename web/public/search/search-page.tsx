import { HITS_PER_PAGE } from '#contract/parts/list-options.ts'
import type { Page as PageData } from '#contract/rendering.ts'
import type { SearchHit } from '#contract/search.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { publicEntryPath, publicPath, publicSearchPath } from '#web/public/paths.ts'
import { dayHint } from '#web/search/day-hint.ts'
import { HitRow } from '#web/search/hit-row.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { SearchForm } from './search-form.tsx'

/** What a visitor finds in a public project. */
export function PublicSearchPage({ project, q, result }: Extract<PageData, { kind: 'search' }>) {
  const { hits, page, hasNext } = result
  return (
    <Page width="reading">
      <ScreenTitle>{q === '' ? `Search ${project.title}` : `${q} – ${project.title}`}</ScreenTitle>
      <NoIndex />
      <h1 className="font-reading text-3xl font-medium tracking-tight">Search</h1>
      <p className="mt-2 mb-6 text-lg text-muted">
        <Link to={publicPath(project._id)} className="rounded-sm hover:text-accent">
          <bdi lang="">{project.title}</bdi>
        </Link>
      </p>
      <SearchForm projectId={project._id} q={q} />
      <output className="my-5 block text-sm text-muted">{summaryOf(q, result)}</output>
      {hits.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-raised shadow-sm">
          {hits.map((hit) => (
            <li key={hit._id}>
              <HitRow hit={hit} path={pathOf(hit)} isInProject />
            </li>
          ))}
        </ul>
      )}
      {(page > 1 || hasNext) && (
        <nav aria-label="Pages of results" className="mt-6 flex justify-center gap-2.5">
          {hits.length === 0 && (
            <LinkButton to={publicSearchPath(project._id, { q, page: 1 })}>First page</LinkButton>
          )}
          {page > 1 && (
            <LinkButton to={publicSearchPath(project._id, { q, page: page - 1 })}>Previous</LinkButton>
          )}
          {hasNext && <LinkButton to={publicSearchPath(project._id, { q, page: page + 1 })}>Next</LinkButton>}
        </nav>
      )}
    </Page>
  )
}

const pathOf = ({ kind, _id, project }: SearchHit) =>
  kind === 'milestone' ? publicPath(project._id, { milestone: _id }) : publicEntryPath(project._id, _id)

function summaryOf(
  q: string,
  { hits, page, hasNext, isIndexing, unknown }: Extract<PageData, { kind: 'search' }>['result'],
): string {
  const waiting = isIndexing ? ' Older things are still being indexed.' : ''
  if (hits.length === 0 && page > 1) return `No more results.${waiting}`
  if (q === '') return `The newest in this project.${waiting}`
  if (unknown.length > 0) return `No such filter: ${unknown.join(', ')}.${dayHint(unknown)}${waiting}`
  if (hits.length === 0) return `Nothing found. Try fewer or other words.${waiting}`
  if (page === 1 && !hasNext) return `${hits.length === 1 ? '1 result' : `${hits.length} results`}.${waiting}`
  const from = (page - 1) * HITS_PER_PAGE
  return `Results ${from + 1} to ${from + hits.length}${hasNext ? ', and there are more' : ''}.${waiting}`
}
