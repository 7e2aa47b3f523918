import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { DARK, LIGHT } from '#contract/parts/colours.ts'
import type { PageSettings } from '#contract/rendering.ts'
import { assets } from '#web/boot/assets.ts'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { SkipLink } from '#web/ui/layout/accessibility.tsx'
import { Logo } from '#web/ui/layout/logo.tsx'
import script from './head.ts?script'
import { VisitorBar } from './visitor-bar.tsx'

/** Renders the document of a screen, with this style sheet. */
export function renderDocument(screen: ReactNode, settings: PageSettings, styles: string): string {
  const html = renderToStaticMarkup(
    <main id="main" tabIndex={-1} className="pt-nav outline-none print:pt-0">
      <div id="announcement" />
      {screen}
    </main>,
  )
  // React puts what belongs into the head first. With the first picture among it, the style sheet has to come before.
  const start = html.indexOf('<main')
  const [ownHead, main] = [html.slice(0, start), html.slice(start)]
  const [before, head, after] = frameOf(settings)
  return `<!doctype html>${before}<link rel="stylesheet" href="${styles}"/>${ownHead}${head}${main}${after}`
}

const frames = new WeakMap<PageSettings, string[]>()

/** Returns what is around all screens: before the style sheet, from there to the screen, and after it. It is rendered once for the settings. */
function frameOf(settings: PageSettings): string[] {
  const known = frames.get(settings)
  if (known) return known
  const frame = renderToStaticMarkup(<Frame settings={settings} />).split(
    /<link rel="stylesheet"\/>|<main><\/main>/,
  )
  frames.set(settings, frame)
  return frame
}

function Frame({ settings }: { settings: PageSettings }) {
  return (
    <html lang="en" data-fonts="later">
      <head>
        <meta charSet="utf-8" />
        <link rel="stylesheet" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="theme-color" content={LIGHT.surface} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={DARK.surface} media="(prefers-color-scheme: dark)" />
        {/* For browsers that show no SVG, and for those that ask for it without a link. */}
        <link rel="icon" href="/favicon.ico" sizes="48x48" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" sizes="any" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <script
          data-main={assets['web/pages/islands/main.ts']}
          data-member={assets['web/pages/islands/member.ts']}
          dangerouslySetInnerHTML={{ __html: script }}
        />
        <script
          type="application/json"
          id="server-options"
          dangerouslySetInnerHTML={{ __html: optionsOf(settings) }}
        />
      </head>
      <body>
        <div className="in-data-[session=stored]:invisible">
          <SkipLink />
          <div id="bar">
            <VisitorBar />
          </div>
          <main />
        </div>
        <output className="fixed inset-0 z-40 hidden place-content-center justify-items-center gap-4 bg-surface text-ink in-data-[session=stored]:grid">
          <Logo className="size-12" />
          <span className="flex animate-appear items-center gap-2 text-muted">
            <Ring className="text-accent" />
            Loading
          </span>
        </output>
      </body>
    </html>
  )
}

/** Settings may contain texts of administrators. */
const optionsOf = ({ identity, entries }: PageSettings) =>
  JSON.stringify({ identity, entries }).replaceAll('<', '\\u003c')
