import { useId, useRef } from 'react'
import { Link } from 'react-router'
import type { Collaboration } from '#contract/collaborators.ts'
import { useOpenInvitations } from '#web/collaborators/queries.ts'
import { RoleBadge } from '#web/collaborators/roles.tsx'
import { useKeepFocus } from '#web/ui/layout/accessibility.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { CollaborationActions } from './collaboration-card.tsx'

/** How many invitations are shown above the list; the others are one press away. */
const SHOWN = 3

/** The invitations that wait for the user's answer, above the list whatever its filter. */
export function OpenInvitations() {
  const invitations = useOpenInvitations()
  const box = useRef<HTMLElement>(null)
  useKeepFocus(box, invitations.length)
  if (invitations.length === 0) return null
  return (
    <section ref={box} tabIndex={-1} aria-label="Invitations" className="mb-8 outline-none">
      <ul className="divide-y divide-line rounded-lg border border-accent/40 bg-accent-soft/35">
        {invitations.slice(0, SHOWN).map((invitation) => (
          <li key={invitation._id}>
            <OpenInvitation invitation={invitation} />
          </li>
        ))}
      </ul>
      {invitations.length > SHOWN && (
        <Link
          to="?status=pending"
          className="mt-2 inline-flex rounded-sm text-sm font-semibold text-accent hover:text-accent-strong pointer-coarse:py-2"
        >
          View all invitations
        </Link>
      )}
    </section>
  )
}

function OpenInvitation({ invitation }: { invitation: Collaboration }) {
  const titleId = useId()
  const { project, inviter, role, expiresAt } = invitation
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3.5 sm:px-5"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm text-muted">
          <bdi>{inviter.name}</bdi> invites you to
        </p>
        <h2 id={titleId} dir="auto" className="line-clamp-2 font-reading text-lg font-medium">
          {project.title}
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted">
          <RoleBadge role={role} />
          {expiresAt !== null && (
            <span>
              Expires <Time iso={expiresAt} />
            </span>
          )}
        </p>
      </div>
      <div className="w-full sm:w-64">
        <CollaborationActions collaboration={invitation} titleId={titleId} />
      </div>
    </article>
  )
}
