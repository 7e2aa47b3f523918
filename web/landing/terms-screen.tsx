import { redirect } from 'react-router'
import { runCallForVisitor } from '#web/api/run-call.server.ts'
import { PublicHead } from '#web/head/public-head.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { sendMarkup } from '#web/markdown/send-markup.server.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import type { Route } from './+types/terms-screen'

const TITLE = 'Terms and conditions'
const DESCRIPTION = 'The terms and conditions of this server.'

/** Redirects to the operator's URL of the terms, if it is set. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { termsUrl = '/' } = await runCallForVisitor(context, 'readIdentityOptions', {})
  if (!termsUrl.startsWith('/')) throw redirect(termsUrl)
  const { html, changedAt } = await runCallForVisitor(context, 'readTerms', {})
  return {
    html: sendMarkup(context, 'terms', html),
    changedAt,
    canonical: new URL('/terms', request.url).href,
  }
}

/** The terms and conditions written by the administrators of this server. */
export default function TermsScreen({ loaderData: { html, changedAt, canonical } }: Route.ComponentProps) {
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
