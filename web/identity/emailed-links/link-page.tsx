import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useIssuerName } from '#web/identity/issuer-name.ts'
import { withRedirect } from '#web/identity/redirect.ts'
import { NarrowPageLayout } from '#web/identity/sign-in/narrow-page-layout.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { StageHeading } from '#web/ui/layout/page.tsx'

type LinkPageProps = {
  icon: LucideIcon
  /** The title and the heading of the current stage. */
  heading: string
  children: ReactNode
}

/** The layout of a small screen with several stages, such as that of an emailed link. */
export function LinkPage({ icon: Icon, heading, children }: LinkPageProps) {
  return (
    <NarrowPageLayout isSteady>
      <ScreenTitle>{heading}</ScreenTitle>
      <Icon className="mb-5 size-9 text-accent" aria-hidden="true" />
      <StageHeading large stage={heading}>
        {heading}
      </StageHeading>
      {children}
    </NarrowPageLayout>
  )
}

/** Replaces the screens about passwords if people sign in only through an issuer. */
export function NoPasswords() {
  const issuer = useIssuerName()
  const [search] = useSearchParams()
  return (
    <>
      <p className="mt-2 text-muted">
        This server has no passwords: people sign in to it with “Continue with {issuer}” alone. If you cannot,
        ask its operator.
      </p>
      <div className="mt-6">
        <LinkButton to={withRedirect('/login', search)}>Back to sign in</LinkButton>
      </div>
    </>
  )
}
