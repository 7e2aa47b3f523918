import type { ReactNode } from 'react'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { buttonClass, LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { publicPath } from './paths.ts'

/** Private and missing projects have the same page. */
export function MissingProject() {
  return (
    <Instead title="Project not found or not public">
      It may have been made private again, or the link may be incomplete.
    </Instead>
  )
}

/** Share links that were revoked, that have ended and that never existed have the same page. */
export function MissingLink() {
  return (
    <Instead title="This link leads nowhere">
      It may have ended, or it may be incomplete. Open the whole link that you were sent, or ask its sender
      for a new one.
    </Instead>
  )
}

/** The page of a missing entry, with its project if that is public. */
export function MissingEntry({ project }: { project: { _id: string; title: string } | undefined }) {
  return (
    <Instead
      title="Entry not found"
      action={project && <LinkButton to={publicPath(project._id)}>Back to “{project.title}”</LinkButton>}
    >
      {project
        ? 'It may have been deleted. The project that it was part of is still there.'
        : 'It may have been deleted, or its project is no longer public.'}
    </Instead>
  )
}

/** A page number after the last page of a public project. */
export function PastTheEnd({ projectId }: { projectId: string }) {
  return (
    <Instead
      title="Page not found"
      action={<LinkButton to={publicPath(projectId)}>To the first page</LinkButton>}
    >
      This project does not have that many pages of entries.
    </Instead>
  )
}

/** A page that could not be read or rendered. */
export function FailedPage({ isPublicProject }: { isPublicProject: boolean }) {
  return (
    <Instead
      drawing="broken"
      title="Something went wrong"
      action={
        // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- this page, whatever its address
        <a href="" className={buttonClass({ variant: 'primary' })}>
          Try again
        </a>
      }
    >
      {isPublicProject && 'Failed to fetch public project. '}
      Something failed on our side. Trying again often helps.
    </Instead>
  )
}

type InsteadProps = {
  title: string
  drawing?: 'signpost' | 'broken'
  /** Another link, beside the one to the home page. */
  action?: ReactNode
  children: ReactNode
}

/** Replaces a public page that does not exist or failed. */
function Instead({ title, drawing = 'signpost', action, children }: InsteadProps) {
  return (
    <Page width="narrow">
      <ScreenTitle>{title}</ScreenTitle>
      <NoIndex />
      <EmptyState
        drawing={drawing}
        heading="h1"
        title={title}
        action={
          <div className="flex flex-wrap justify-center gap-2.5">
            {action}
            <LinkButton to="/">Back to Home</LinkButton>
          </div>
        }
      >
        {children}
      </EmptyState>
    </Page>
  )
}
