import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { countProfiles, listProfileNames } from '#server/profiles/service.ts'
import { countPublic, listPublicEntries, listPublicProjects } from './store.ts'

/** The number of URLs in a part. The protocol allows 50,000. */
export const PART_SIZE = 10_000

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** Screens for signed-in people, links for one person, and calls that return no page. */
const PRIVATE = [
  '/api/',
  '/dashboard',
  '/settings',
  '/collaborations',
  '/projects/',
  '/invite/',
  '/verify-email/',
  '/email-change/',
  '/reset-password/',
]

type Page = { path: string; changed?: Date }

/** Returns robots.txt: crawlers may visit public pages and their images in the API. */
export function robots(publicUrl: string): string {
  const lines = [
    'User-agent: *',
    'Allow: /api/media/',
    ...PRIVATE.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ]
  return `${lines.join('\n')}\n`
}

/** Returns the sitemap index, with as many parts as the public projects, entries and people currently need. */
export async function sitemapIndex({ db }: Pick<AppDeps, 'db'>, publicUrl: string): Promise<string> {
  const { projects, entries } = await countPublic(db)
  const people = await countProfiles(db)
  const numbered = (kind: string, count: number) =>
    Array.from({ length: Math.ceil(count / PART_SIZE) }, (_, index) => `${kind}-${index + 1}`)
  const parts = [
    'pages',
    ...numbered('projects', projects),
    ...numbered('entries', entries),
    ...numbered('people', people),
  ]
  const rows = parts.map((part) => `<sitemap><loc>${publicUrl}/sitemap-${part}.xml</loc></sitemap>`)
  return `${XML}<sitemapindex ${NAMESPACE}>\n${rows.join('\n')}\n</sitemapindex>\n`
}

/** Returns the sitemap of the pages that belong to no project. */
export const sitemapOfPages = (publicUrl: string) =>
  urlSet(publicUrl, [{ path: '/' }, { path: '/about' }, { path: '/markdown-guide' }])

/** Returns a part of the sitemap, counted from 1. Throws `not_found` after the last. */
export async function sitemapPart(
  { db }: Pick<AppDeps, 'db'>,
  publicUrl: string,
  kind: 'projects' | 'entries' | 'people',
  number: number,
): Promise<string> {
  const pages = await listPages[kind](db, { limit: PART_SIZE, offset: (number - 1) * PART_SIZE })
  if (pages.length === 0) throw new AppError('not_found', 'The sitemap has no such part')
  return urlSet(publicUrl, pages)
}

const listPages: Record<
  'projects' | 'entries' | 'people',
  (db: Db, range: { limit: number; offset: number }) => Promise<Page[]>
> = {
  projects: async (db, range) =>
    (await listPublicProjects(db, range)).map(({ id, changed }) => ({ path: `/world/${id}`, changed })),
  entries: async (db, range) =>
    (await listPublicEntries(db, range)).map(({ id, project_id, changed }) => ({
      path: `/world/${project_id}/entries/${id}`,
      changed,
    })),
  people: async (db, range) =>
    (await listProfileNames(db, range)).map((name) => ({ path: `/@${encodeURIComponent(name)}` })),
}

/** Nothing needs escaping: paths consist of ids and escaped names, and the origin is a URL. */
function urlSet(publicUrl: string, pages: Page[]): string {
  const rows = pages.map(({ path, changed }) => {
    const lastModified = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : ''
    return `<url><loc>${publicUrl}${path}</loc>${lastModified}</url>`
  })
  return `${XML}<urlset ${NAMESPACE}>\n${rows.join('\n')}\n</urlset>\n`
}
