import type { ReactNode } from 'react'
import type { Page, PageSettings, RenderedPage, RenderPage } from '#contract/rendering.ts'
import { assets } from '#web/boot/assets.ts'
import { renderScreen, screenAt } from '#web/boot/render-screen.tsx'
import { guideCards } from '#web/guide/examples.ts'
import { GuidePage } from '#web/guide/guide-page.tsx'
import { AboutPage } from '#web/landing/about-page.tsx'
import { LandingPage } from '#web/landing/landing-page.tsx'
import { TermsPage } from '#web/landing/terms-page.tsx'
import { PublicEntryPage } from '#web/public/entry/public-entry-page.tsx'
import { feedText } from '#web/public/feed/feed-text.ts'
import { EmailChoicePage } from '#web/public/follow/email-choice-page.tsx'
import { FollowPage } from '#web/public/follow/follow-page.tsx'
import { LockedLinkPage } from '#web/public/locked-link-page.tsx'
import {
  FailedPage,
  MissingEntry,
  MissingLink,
  MissingProject,
  PastTheEnd,
} from '#web/public/missing-pages.tsx'
import type { FeedFormat } from '#web/public/paths.ts'
import { ProfilePage, ProjectsPage } from '#web/public/profile/profile-page.tsx'
import { PublicProjectPage } from '#web/public/project/public-project-page.tsx'
import { ReactionsPage } from '#web/public/reactions/reactions-page.tsx'
import { PublicSearchPage } from '#web/public/search/search-page.tsx'
import { StoryPage } from '#web/public/story/story-page.tsx'
import { StoryPrintPage } from '#web/public/story/story-print-page.tsx'
import { NotFoundPage } from '#web/shell/not-found-page.tsx'
import { renderDocument } from './document.tsx'

export { default as screenScript } from '#web/boot/head.ts?script'
export { default as pageScript } from './head.ts?script'
export { publicRoutes } from './routes.ts'
export { screenAt }

export const styles = [
  assets['web/pages/pages.css'],
  assets['web/pages/project.css'],
  assets['web/pages/landing.css'],
] as const

const HTML = { 'content-type': 'text/html; charset=utf-8' }

export const renderPage: RenderPage = async (page, settings) => {
  switch (page.kind) {
    case 'feed.atom':
    case 'feed.rss':
    case 'feed.json':
      return renderFeed(page, settings)
    case 'profile.feed.atom':
    case 'profile.feed.rss':
    case 'profile.feed.json':
      return renderFeed(page, settings)
    case 'profile':
      return htmlOf(<ProfilePage found={page.found} origin={settings.origin} />, settings)
    case 'projects':
      return htmlOf(<ProjectsPage projects={page.projects} />, settings, { headers: indexing(false) })
    case 'project':
      return htmlOf(
        <PublicProjectPage
          found={page.found}
          order={page.order}
          origin={settings.origin}
          sendsMail={settings.sendsMail}
          isSite={settings.isSite}
        />,
        settings,
        {
          sheet: styles[1],
          headers: indexing(page.found.project.visibility === 'public'),
        },
      )
    case 'entry':
      return htmlOf(<PublicEntryPage found={page.found} origin={settings.origin} />, settings, {
        headers: indexing(page.found.project.visibility === 'public'),
      })
    case 'story':
      return htmlOf(<StoryPage story={page.found} origin={settings.origin} />, settings, {
        headers: indexing(page.found.project.visibility === 'public'),
      })
    case 'story.print':
      return htmlOf(<StoryPrintPage story={page.found} origin={settings.origin} />, settings, {
        headers: indexing(false),
      })
    case 'follow':
      return htmlOf(
        <FollowPage {...page} origin={settings.origin} sendsMail={settings.sendsMail} />,
        settings,
        {
          status: page.refused?.status ?? 200,
          headers: indexing(false),
        },
      )
    case 'email choice':
      return htmlOf(<EmailChoicePage choice={page.choice} />, settings, {
        status: page.choice.step === 'not valid' ? 404 : 200,
      })
    case 'reactions':
      return htmlOf(<ReactionsPage {...page} />, settings, {
        status: page.refused === undefined ? 200 : 429,
        headers: indexing(false),
      })
    case 'screen':
      return renderScreen(page.path, settings, page.invitation)
    case 'search':
      return htmlOf(<PublicSearchPage {...page} />, settings, { headers: indexing(false) })
    case 'guide':
      return htmlOf(<GuidePage cards={await guideCards()} origin={settings.origin} />, settings)
    case 'missing':
      return htmlOf(missing(page), settings, { status: 404 })
    case 'locked link':
      return htmlOf(<LockedLinkPage linkId={page.linkId} isWrong={page.isWrong} />, settings, {
        status: page.isWrong ? 403 : 200,
      })
    case 'failed':
      return htmlOf(<FailedPage isPublicProject={page.isPublicProject} />, settings, { status: 500 })
    case 'landing':
    case 'about':
    case 'terms':
      break
  }
  return htmlOf(siteScreen(page, settings), settings, page.kind === 'landing' ? { sheet: styles[2] } : {})
}

function siteScreen(page: Extract<Page, { kind: 'landing' | 'about' | 'terms' }>, settings: PageSettings) {
  if (page.kind === 'landing')
    return (
      <LandingPage year={page.year} origin={settings.origin} registration={settings.identity.registration} />
    )
  if (page.kind === 'about')
    return <AboutPage origin={settings.origin} termsUrl={settings.identity.termsUrl} />
  return <TermsPage terms={page.terms} origin={settings.origin} />
}

function missing(page: Extract<Page, { kind: 'missing' }>): ReactNode {
  if (page.what === 'project') return <MissingProject />
  if (page.what === 'link') return <MissingLink />
  if (page.what === 'entry') return <MissingEntry project={page.project} />
  if (page.what === 'page of project') return <PastTheEnd projectId={page.projectId} />
  return <NotFoundPage />
}

type Options = { status?: number; sheet?: string; headers?: Record<string, string> }

function htmlOf(
  screen: ReactNode,
  settings: PageSettings,
  { status = 200, sheet = styles[0], headers = {} }: Options = {},
): RenderedPage {
  const body = renderDocument(screen, settings, sheet)
  return { status, headers: { ...HTML, ...headers }, body }
}

/** Tells search engines, like the page itself, not to list an unlisted project. */
const indexing = (isListed: boolean): Record<string, string> =>
  isListed ? {} : { 'x-robots-tag': 'noindex' }

async function renderFeed(
  { kind, found }: Extract<Page, { kind: `${string}feed.${string}` }>,
  { origin }: PageSettings,
): Promise<RenderedPage> {
  const format = kind.slice(kind.lastIndexOf('.') + 1) as FeedFormat
  const { text, type } = await feedText(found, format, origin)
  const headers = {
    'content-type': type,
    'last-modified': new Date(found.changedAt).toUTCString(),
    ...indexing('profile' in found || found.project.visibility === 'public'),
    // Allows feed readers that run in a browser on another site.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  }
  return { status: 200, headers, body: text }
}
