import type { Terms } from '#contract/administration.ts'
import { PublicHead } from '#web/head/public-head.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'

const TITLE = 'Terms and conditions'
const DESCRIPTION = 'The terms and conditions of this server.'

/** The terms and conditions written by the administrators of this server. */
export function TermsPage({ terms: { html, changedAt }, origin }: { terms: Terms; origin: string }) {
  const canonical = new URL('/terms', origin).href
  return (
    <Page width="reading">
      <PublicHead
        title={TITLE}
        description={DESCRIPTION}
        canonical={canonical}
        about={[{ '@type': 'WebPage', name: TITLE, description: DESCRIPTION, url: canonical }]}
      />
      <PageHeader
        title={TITLE}
        lede={
          <>
            Those of this server, last changed on <Time iso={changedAt} />.
          </>
        }
      />
      <RenderedMarkdown name="terms" html={html} />
    </Page>
  )
}
