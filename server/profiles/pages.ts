import type { Page } from '#contract/rendering.ts'
import type { FeaturePages, PageMounting, PageSource } from '#server/pages/sources.ts'
import { createBatchLoader } from '#server/platform/batch-loader.ts'
import { listProfileEntries, readProfilePage } from './service.ts'
import { findProfileVersions } from './store.ts'

const missing = { kind: 'missing', what: 'page' } as const

/** The pages of people, and their feeds. */
export function profilePages({ deps }: PageMounting): FeaturePages {
  const versionOf = createBatchLoader((names) => findProfileVersions(deps.db, names))
  const feed = (format: 'atom' | 'rss' | 'json'): PageSource => ({
    missing,
    read: async ({ values: { profile = '' } }): Promise<Page> => ({
      kind: `profile.feed.${format}`,
      found: await listProfileEntries(deps, profile),
    }),
  })
  return {
    sources: {
      profile: {
        missing,
        read: async ({ values: { profile = '', page } }) => ({
          kind: 'profile',
          found: await readProfilePage(deps, profile, Number(page ?? 1)),
        }),
      },
      'profile.feed.atom': feed('atom'),
      'profile.feed.rss': feed('rss'),
      'profile.feed.json': feed('json'),
    },
    subjects: {
      profile: {
        async version(name) {
          const found = await versionOf(name)
          if (!found) return null
          // A former name leads to the current one.
          return found.name === name ? found.version : { path: `/@${encodeURIComponent(found.name)}` }
        },
      },
    },
  }
}
