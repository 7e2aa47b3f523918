import { clsx } from 'clsx'
import { Check, CircleCheck, LogIn, PenLine, Users } from 'lucide-react'
import { Fragment, type ReactNode, useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Acceptance, InvitationDetails, InvitedProject } from '#contract/collaborators.ts'
import { ApiError, type ApiErrorCode } from '#web/api/api-error.ts'
import { DeclineButton } from '#web/collaborators/decline-button.tsx'
import { useAcceptInvitation, useDeclineInvitation } from '#web/collaborators/mutations.ts'
import { RoleBadge, roleRights, withArticle } from '#web/collaborators/roles.tsx'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { ConfirmationEmail } from '#web/identity/emailed-links/confirmation-email.tsx'
import { useLeaving } from '#web/identity/leaving.tsx'
import { loginPath, ownPath, registerPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { ProjectCover } from '#web/projects/project-cover.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Card, StageHeading } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { Marker } from '#web/ui/layout/timeline.tsx'

type InvitationCardProps = {
  inviteToken: string
  invitation: InvitationDetails
  onAccepted: (answer: Acceptance) => void
  onDeclined: () => void
  /** Called if it was answered elsewhere, withdrawn, or has expired. */
  onClosed: () => Promise<unknown>
}

/** At the upper edge of the card. */
const coverClass = '-mx-6 -mt-6 mb-5 w-[calc(100%+3rem)] max-w-none sm:-mx-8 sm:-mt-8 sm:w-[calc(100%+4rem)]'

/** An invitation: the project, the role, and the buttons to accept or decline. */
export function InvitationCard({ invitation, ...answering }: InvitationCardProps) {
  const { projectTitle, projectDescription, role, inviter, project } = invitation
  return (
    <>
      <ScreenTitle>Invitation</ScreenTitle>
      <h1 className="mb-6 text-3xl font-semibold tracking-tight break-words">
        <bdi>{inviter.name}</bdi> invites you to collaborate
      </h1>
      <Card className="overflow-clip p-6 sm:p-8">
        <ProjectCover
          projectId={project._id}
          invitedURL={project.imageURL}
          tint={project.tint}
          className={clsx(coverClass, project.imageURL === undefined ? 'h-28' : 'aspect-5/2')}
        />
        <h2 className="font-reading text-xl font-medium break-words">{projectTitle}</h2>
        <p className="mt-2 line-clamp-6 whitespace-pre-line text-muted">{projectDescription}</p>
        <ProjectFacts project={project} />
        <div className="mt-5 border-t border-line pt-5">
          <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
            Your role: <RoleBadge role={role} />
          </p>
          <p className="mt-1.5 text-sm text-muted">{roleRights[role]}</p>
        </div>
        <InvitationActions {...answering} />
      </Card>
    </>
  )
}

/** Who is in the project, its latest milestones, and its last entry. */
function ProjectFacts({ project }: { project: InvitedProject }) {
  const { members, memberCount, milestones, milestoneCount, lastEntry } = project
  const [earlier, others] = [milestoneCount - milestones.length, memberCount - members.length]
  return (
    <div className="mt-4 flex flex-col gap-3 text-sm">
      {milestones.length > 0 && (
        <ol aria-label="Milestones" className="flex flex-col">
          {earlier > 0 && <li className="pb-1 pl-9 text-muted">{earlier.toLocaleString('en')} earlier</li>}
          {milestones.map(({ title, completed }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: titles may repeat, and their order is fixed
            <li key={index} className="flex min-w-0 items-center gap-2">
              <Marker done={completed} current={false} />
              <span dir="auto" className="min-w-0 truncate font-reading">
                {title}
              </span>
              <VisuallyHidden>{completed ? 'Completed' : 'In Progress'}</VisuallyHidden>
            </li>
          ))}
        </ol>
      )}
      <p className="flex items-start gap-2 text-muted">
        <Users className="mx-1.5 mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <span className="min-w-0">
          {members.map(({ name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and their order is fixed
            <Fragment key={index}>
              {index > 0 && ', '}
              <bdi>{name}</bdi>
            </Fragment>
          ))}
          {others > 0 && ` and ${others.toLocaleString('en')} more`}
        </span>
      </p>
      {lastEntry && (
        <p className="flex items-start gap-2 text-muted">
          <PenLine className="mx-1.5 mt-0.5 size-4 shrink-0" aria-hidden="true" />
          <span className="min-w-0">
            <bdi className="font-reading text-ink">{lastEntry.title}</bdi>,{' '}
            <Time iso={lastEntry.publishedAt} className="whitespace-nowrap" />
          </span>
        </p>
      )}
    </div>
  )
}

type InvitationActionsProps = Omit<InvitationCardProps, 'invitation'>

/** The buttons to accept and decline. Accepting needs an account, declining only the link. */
function InvitationActions({ inviteToken, onAccepted, onDeclined, onClosed }: InvitationActionsProps) {
  const { status } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const acceptance = useAcceptInvitation(inviteToken, { onClosed })
  const declining = useDeclineInvitation(inviteToken, { onClosed })
  const isActing = acceptance.isPending || declining.isPending
  const isLate = acceptance.isLate || declining.isLate
  const isSignedIn = status === 'signed-in'

  function goToLogin() {
    void navigate(loginPath(pathname))
  }

  function accept() {
    declining.reset()
    acceptance.mutate(undefined, {
      onSuccess: (answer) => answer && onAccepted(answer),
      onError: (error) => error instanceof ApiError && error.code === 'not_signed_in' && goToLogin(),
    })
  }

  function decline() {
    acceptance.reset()
    declining.mutate(undefined, { onSuccess: onDeclined })
  }

  return (
    <>
      <div className="mt-6 flex flex-wrap gap-2.5">
        {isSignedIn ? (
          <Button
            variant="primary"
            icon={<Check />}
            className={acceptClass}
            disabled={declining.isPending}
            busy={acceptance.isPending && !acceptance.isLate}
            onClick={accept}
          >
            Accept Invitation
          </Button>
        ) : (
          <LinkButton to={loginPath(pathname)} variant="primary" icon={<LogIn />} className={acceptClass}>
            Sign in to accept
          </LinkButton>
        )}
        <DeclineButton
          size="md"
          className="flex-1"
          disabled={acceptance.isPending}
          busy={declining.isPending && !declining.isLate}
          onDecline={decline}
        />
      </div>
      {/* Below the buttons, because it appears and disappears, and they must not move under the pointer. */}
      <ActionError error={isActing ? null : (acceptance.error ?? declining.error)} />
      {isLate && <Banner className="mt-6">The server does not answer. Trying again…</Banner>}
      <AccountNote path={pathname} />
    </>
  )
}

const acceptClass = 'flex-1 max-sm:flex-auto max-sm:px-2'

/** The error banner of a failed response to an invitation, with a remedy if there is one. */
function ActionError({ error }: { error: Error | null }) {
  if (!(error instanceof ApiError)) return null
  const Remedy = remedies[error.code]
  return (
    <Banner className="mt-6">
      <p>{error.message}</p>
      {Remedy && <Remedy />}
    </Banner>
  )
}

const remedies: { [code in ApiErrorCode]?: () => ReactNode } = {
  wrong_account: OtherAccount,
  unverified_address: ConfirmationEmail,
}

function OtherAccount() {
  const { signOut } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()

  const { request, question } = useLeaving(() => {
    void signOut()
    void navigate(loginPath(pathname))
  })

  return (
    <>
      <Button size="sm" className="mt-2.5" onClick={request}>
        Sign in with another account
      </Button>
      {question}
    </>
  )
}

const linkClass =
  'rounded-sm whitespace-nowrap font-semibold text-accent hover:text-accent-strong pointer-coarse:py-2'

/** Names the account that will accept; for a visitor, a link to register and come back. */
function AccountNote({ path }: { path: string }) {
  const { user } = useSession()
  if (user) {
    return (
      <p className="mt-4 text-center text-sm text-muted">
        You are signed in with{' '}
        <b className="inline-block max-w-full font-semibold wrap-anywhere">{user.email}</b>.
      </p>
    )
  }
  return (
    <p className="mt-4 text-center text-sm text-muted">
      Use the account of the address that was invited.{' '}
      <span className="inline-block">
        New here?{' '}
        <Link to={registerPath(path)} className={linkClass}>
          Create an account
        </Link>
      </span>
    </p>
  )
}

const REDIRECT_MS = 3000

type InvitationAcceptedProps = { invitation: InvitationDetails; redirectTo: string }

/** Confirms that an invitation was accepted. */
export function InvitationAccepted({ invitation, redirectTo }: InvitationAcceptedProps) {
  return (
    <JoinedRedirect heading="Invitation accepted" redirectTo={redirectTo}>
      You are now {withArticle(invitation.role)} of{' '}
      <b className="font-semibold break-words text-ink">{invitation.projectTitle}</b>. You will be taken there
      in a moment.
    </JoinedRedirect>
  )
}

type JoinedRedirectProps = { heading: string; redirectTo: string; children: ReactNode }

/** Confirms that the user is a collaborator, and navigates to the project after three seconds. */
export function JoinedRedirect({ heading, redirectTo, children }: JoinedRedirectProps) {
  const navigate = useNavigate()
  const own = ownPath(redirectTo)
  const goal = own ?? '/collaborations'

  useEffect(() => {
    // Replaces the history entry, so that Back does not return to a page that redirects.
    const timer = setTimeout(() => void navigate(goal, { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [goal, navigate])

  return (
    <Card className="p-6 sm:p-8">
      <ScreenTitle>{heading}</ScreenTitle>
      <CircleCheck className="mb-4 size-8 text-success" aria-hidden="true" />
      <StageHeading arrived>{heading}</StageHeading>
      <p className="mt-2 text-muted">{children}</p>
      <div className="mt-6">
        <LinkButton to={goal} replace variant="primary">
          {own === null ? 'Go to My Collaborations' : 'Go to the project now'}
        </LinkButton>
      </div>
    </Card>
  )
}
