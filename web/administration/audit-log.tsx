import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEvent, AuditKind } from '#contract/audit-log.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import { ShowEarlier } from '#web/ui/controls/pagination.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { RelativeTime, useNow } from '#web/ui/layout/time.tsx'
import { auditQuery } from './queries.ts'

/** The actions of administrators in the last 180 days. */
export function AuditLog() {
  const query = useInfiniteQuery({ ...auditQuery, refetchOnMount: 'always' })
  const { data, isError, isFetching, refetch } = query
  const now = useNow()
  if (!data && isError)
    return (
      <FetchFailed
        title="The audit log could not be fetched"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Skeleton className="h-24 rounded-md" />
  const events = data.pages.flatMap((page) => page.events)
  return (
    <>
      <Outdated of={[query]} className="mb-4" />
      <p className="text-sm text-muted">
        What administrators did in the last 180 days. Nobody can change it.
      </p>
      {events.length > 0 && (
        <ol aria-label="Audit log" className="mt-4 divide-y divide-line border-t border-line">
          {events.map((event) => (
            <li key={event._id} className="flex items-baseline gap-4 py-3 text-sm">
              <p className="min-w-0 flex-1 wrap-anywhere text-muted [&_bdi]:font-medium [&_bdi]:text-ink">
                <Sentence event={event} />
              </p>
              <RelativeTime at={event.createdAt} now={now} className="shrink-0 text-xs text-faint" />
            </li>
          ))}
        </ol>
      )}
      <div className="-mb-6 pt-4">
        <ShowEarlier query={query} />
      </div>
    </>
  )
}

const modeNames = {
  open: 'open',
  approval: 'by approval',
  invitation: 'by invitation',
  closed: 'closed',
} as const

type Said = Pick<AuditEvent, 'details'> & { who: ReactNode; whom: ReactNode; address: ReactNode }

const sentences: { [kind in AuditKind]: (said: Said) => ReactNode } = {
  administrator_made({ who, whom, details }) {
    if (details.by === 'first_account') return <>{whom} created the first account and is an administrator</>
    if (details.by === 'command') return <>{whom} was made an administrator by a command on the server</>
    return (
      <>
        {who} made {whom} an administrator
      </>
    )
  },
  administrator_unmade({ who, whom, details }) {
    if (details.by === 'takeover')
      return (
        <>
          The account of {whom} was taken over by the owner of its address, without the administrator’s right
        </>
      )
    return (
      <>
        {who} removed {whom} as an administrator
      </>
    )
  },
  account_approved: ({ who, whom }) => (
    <>
      {who} approved {whom}
    </>
  ),
  account_refused: ({ who }) => <>{who} refused an account</>,
  account_suspended: ({ who, whom }) => (
    <>
      {who} suspended {whom}
    </>
  ),
  account_unsuspended: ({ who, whom }) => (
    <>
      {who} ended the suspension of {whom}
    </>
  ),
  quota_changed: ({ who, whom, details: { quota } }) => (
    <>
      {who} let {whom} store {quota ? sizeText(quota) : 'as much as others'}
    </>
  ),
  email_changed: ({ who, whom }) => (
    <>
      {who} changed the address of {whom}
    </>
  ),
  two_factor_turned_off: ({ who, whom, details }) =>
    details.by === 'command' ? (
      <>Two-step sign-in of {whom} was turned off by a command on the server</>
    ) : (
      <>
        {who} turned two-step sign-in of {whom} off
      </>
    ),
  reset_link_made: ({ who, whom }) => (
    <>
      {who} made a link for a new password of {whom}
    </>
  ),
  person_invited: ({ who, address }) => (
    <>
      {who} invited {address}
    </>
  ),
  invitation_withdrawn: ({ who, address }) => (
    <>
      {who} withdrew the invitation of {address}
    </>
  ),
  registration_changed: ({ who, details: { mode = 'open', domains = [] } }) => (
    <>
      {who} set registration to {modeNames[mode]}
      {domains.length > 0 && `, for ${domains.join(', ')}`}
    </>
  ),
  announcement_changed: ({ who, details }) => (
    <>
      {who} {details.isRemoved ? 'removed' : 'changed'} the announcement
    </>
  ),
  terms_changed: ({ who, details }) => (
    <>
      {who} {details.isRemoved ? 'removed' : 'changed'} the terms and conditions
    </>
  ),
  test_email_sent: ({ who }) => <>{who} sent a test email</>,
}

function Sentence({ event: { kind, actor, person, email, details } }: { event: AuditEvent }): ReactNode {
  return sentences[kind]({
    who: <bdi>{actor?.name}</bdi>,
    whom: <bdi>{person?.name}</bdi>,
    address: email === null ? 'somebody' : <bdi>{email}</bdi>,
    details,
  })
}
