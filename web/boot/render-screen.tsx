import type { ReactNode } from 'react'
import { preload, preloadModule } from 'react-dom'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, matchRoutes, StaticRouterProvider } from 'react-router'
import type { FoundInvitation, PageSettings, RenderedPage, ScreenMatch } from '#contract/rendering.ts'
import serif from '#web/ui/styles/fonts/serif-latin.woff2?url'
import { routes } from './app.tsx'
import { appFiles, screenFiles } from './assets.ts'
import { ScreenDocument } from './document.tsx'
import screenScript from './head.ts?script'
import { codeOf } from './screen-code.ts'
import { screens } from './screens.ts'

const handler = createStaticHandler(routes)

/** What a browser may be told about an invitation: its URL is a secret, and Back must not show it once it is answered. */
const INVITATION = {
  'referrer-policy': 'strict-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
}

/** The layout of the screens that show nothing before the session is known. */
const GUARD = 'shell/guard.tsx'

/** Returns the screen at a path; null if the app has none. */
export function screenAt(pathname: string): ScreenMatch | null {
  const routes = (matchRoutes(screens, pathname) ?? []).map(({ route }) => route)
  const { path } = routes.at(-1) ?? {}
  if (path === undefined || path === '*') return null
  return { pattern: `/${path}`, isSameForAll: routes.some(({ id }) => id === GUARD) }
}

/** Renders a screen of the app as a visitor sees it first, for the scripts to continue. `path` may have a query. */
export async function renderScreen(
  path: string,
  { origin, identity, entries }: PageSettings,
  invitation?: FoundInvitation,
): Promise<RenderedPage> {
  const url = new URL(origin + path)
  const context = await handler.query(new Request(url))
  if (context instanceof Response) throw new Error(`${url.pathname} redirects`)
  const data = { options: { identity, entries }, invitation, files: screenFiles }
  const html = renderToString(
    <Preloaded
      font={screenAt(url.pathname)?.isSameForAll ? serif : undefined}
      urls={[...appFiles, ...codeOf(url.pathname, screenFiles, () => false)]}
    >
      <ScreenDocument data={data} script={screenScript}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </ScreenDocument>
    </Preloaded>,
  )
  return {
    status: invitation?.refusal?.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...(invitation && INVITATION) },
    body: `<!doctype html>${html}`,
  }
}

type PreloadedProps = {
  urls: string[]
  /** That of titles, of which every screen behind the guard has some, but only after all scripts. */
  font: string | undefined
  children: ReactNode
}

/** Lets the browser fetch files before it comes to what needs them. */
function Preloaded({ urls, font, children }: PreloadedProps) {
  preload(screenFiles.styles, { as: 'style' })
  for (const url of urls) {
    // Vite adds the style sheet of a screen with this attribute.
    if (url.endsWith('.css')) preload(url, { as: 'style', crossOrigin: 'anonymous' })
    else preloadModule(url)
  }
  if (font !== undefined) preload(font, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  return children
}
