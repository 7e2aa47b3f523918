import type { ReactNode } from 'react'
import { PublicHead } from '#web/head/public-head.tsx'
import { NarrowPageLayout } from '#web/identity/sign-in/narrow-page-layout.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { ForMembers, ForVisitors } from '#web/ui/layout/audience.tsx'
import { PageHeader } from '#web/ui/layout/page.tsx'

const TITLE = 'About Milepost'
const DESCRIPTION = 'Who makes Milepost, who runs this server, and whose terms hold here.'

/** The about page: the author of Milepost and the operator of this server. The author and terms links lead here. */
export function AboutPage({ origin, termsUrl }: { origin: string; termsUrl: string | undefined }) {
  const canonical = new URL('/about', origin).href
  return (
    <NarrowPageLayout>
      <PublicHead
        title={TITLE}
        description={DESCRIPTION}
        canonical={canonical}
        about={[{ '@type': 'AboutPage', name: TITLE, description: DESCRIPTION, url: canonical }]}
      />
      <PageHeader title={TITLE} lede="A place to document a project as it happens, and to share the story." />
      <div className="flex flex-col gap-6">
        <Part title="Who makes it">
          Milepost is free software by the Milepost authors, under the MIT licence. Anybody may run it, read
          its source and change it.
        </Part>
        <Part title="Who runs this server">
          The authors do not run this server and see nothing of what is written here. Its operator decides who
          may register, keeps the backups and answers questions about your data.
        </Part>
        <Part title="Terms and conditions">
          {termsUrl ? (
            <>
              They are those of this server’s operator:{' '}
              <a href={termsUrl} className="font-semibold text-accent underline-offset-4 hover:underline">
                Terms and conditions
              </a>
            </>
          ) : (
            'They are those of this server’s operator. If you do not know them, ask there before you make an account.'
          )}
        </Part>
      </div>
      <div className="mt-8 flex flex-wrap gap-2.5">
        <ForMembers>
          <LinkButton to="/dashboard" variant="primary">
            Start Journaling
          </LinkButton>
        </ForMembers>
        <ForVisitors>
          <LinkButton to="/register" variant="primary">
            Get Started
          </LinkButton>
        </ForVisitors>
        <LinkButton to="/markdown-guide">Markdown guide</LinkButton>
      </div>
    </NarrowPageLayout>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 text-muted">{children}</p>
    </section>
  )
}
