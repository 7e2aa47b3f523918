import type { ReactNode } from 'react'
import { DARK, LIGHT } from '#contract/parts/colours.ts'
import { ServerOptionsContext } from '#web/api/server-options.ts'
import { InvitationContext } from '#web/collaborators/invitation/found-invitation.ts'
import sans from '#web/ui/styles/fonts/sans-latin.woff2?url'
import { type PageData, pageDataElement } from './page-data.ts'

type ScreenDocumentProps = {
  data: PageData
  /** The text of the inline script. In the browser it has run, and hydration does not change its element. */
  script?: string
  children: ReactNode
}

/** The document of a screen of the app, which the browser hydrates. */
export function ScreenDocument({ data, script = '', children }: ScreenDocumentProps) {
  const { styles, client } = data.files
  const { id, text } = pageDataElement(data)
  return (
    <html lang="en" data-fonts={script === '' ? undefined : 'later'} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <link rel="stylesheet" href={styles} />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="theme-color" content={LIGHT.surface} media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content={DARK.surface} media="(prefers-color-scheme: dark)" />
        <link rel="preload" href={sans} as="font" type="font/woff2" crossOrigin="anonymous" />
        {/* For browsers that show no SVG, and for those that ask for it without a link. */}
        <link rel="icon" href="/favicon.ico" sizes="48x48" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" sizes="any" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
        <script
          type="application/json"
          id={id}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: text }}
        />
      </head>
      <body>
        <ServerOptionsContext value={data.options}>
          <InvitationContext value={data.invitation}>{children}</InvitationContext>
        </ServerOptionsContext>
        <script type="module" src={client} />
      </body>
    </html>
  )
}
