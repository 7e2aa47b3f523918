import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { withRedirect } from '#web/identity/redirect.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Card, Page, StageHeading } from '#web/ui/layout/page.tsx'

type LinkPageProps = {
  icon: LucideIcon
  /** The title and the heading of the current stage. */
  heading: string
  children: ReactNode
}

/** The layout of a screen about an emailed link, which goes through several stages. */
export function LinkPage({ icon: Icon, heading, children }: LinkPageProps) {
  return (
    <Page width="narrow">
      <ScreenTitle>{heading}</ScreenTitle>
      <Card className="p-6 sm:p-8">
        <Icon className="mb-4 size-8 text-accent" aria-hidden="true" />
        <StageHeading stage={heading}>{heading}</StageHeading>
        {children}
      </Card>
    </Page>
  )
}

/** What a screen about passwords says where people sign in by an issuer alone. */
export function NoPasswords() {
  const [search] = useSearchParams()
  return (
    <>
      <p className="mt-2 text-muted">
        This server has no passwords: people sign in to it with “Continue with Google” alone. If you cannot,
        ask its operator.
      </p>
      <div className="mt-6">
        <LinkButton to={withRedirect('/login', search)}>Back to sign in</LinkButton>
      </div>
    </>
  )
}
