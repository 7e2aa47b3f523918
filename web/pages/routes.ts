import type { CachedParams, PageKind } from '#contract/rendering.ts'
import { FEED_FORMATS } from '#web/public/paths.ts'
import { publicSearchParams, searchParams, storySearchParams } from '#web/public/project/project-page.ts'

type PublicRoute = { pattern: string; kind: PageKind; cachedParams: CachedParams }

/** The links of these pages carry the redirect and the invitation on. */
const signingIn: CachedParams = { redirect: 'bypass', invitation: 'bypass' }

/** The pages that are the same for everybody, one line each, and the feeds of public projects and of people. */
export const publicRoutes: readonly PublicRoute[] = [
  { pattern: '/', kind: 'landing', cachedParams: {} },
  { pattern: '/about', kind: 'about', cachedParams: {} },
  { pattern: '/markdown-guide', kind: 'guide', cachedParams: {} },
  { pattern: '/login', kind: 'screen', cachedParams: signingIn },
  { pattern: '/login/code', kind: 'screen', cachedParams: signingIn },
  { pattern: '/register', kind: 'screen', cachedParams: signingIn },
  { pattern: '/forgot-password', kind: 'screen', cachedParams: signingIn },
  { pattern: '/world/:projectId', kind: 'project', cachedParams: publicSearchParams },
  { pattern: '/world/:projectId/entries/:entryId', kind: 'entry', cachedParams: {} },
  { pattern: '/world/:projectId/search', kind: 'search', cachedParams: searchParams },
  { pattern: '/world/:projectId/story', kind: 'story', cachedParams: storySearchParams },
  { pattern: '/world/:projectId/story/print', kind: 'story.print', cachedParams: storySearchParams },
  { pattern: '/world/:projectId/follow', kind: 'follow', cachedParams: {} },
  { pattern: '/@:profile', kind: 'profile', cachedParams: { page: publicSearchParams.page } },
  ...FEED_FORMATS.map((format) => ({
    pattern: `/@:profile/feed.${format}`,
    kind: `profile.feed.${format}` as const,
    cachedParams: {},
  })),
  ...FEED_FORMATS.map((format) => ({
    pattern: `/world/:projectId/feed.${format}`,
    kind: `feed.${format}` as const,
    cachedParams: {},
  })),
]
