import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ScreenTitle } from '#web/head/screen-title.tsx'
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
