import { useInfiniteQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useDeferredValue, useRef, useState } from 'react'
import { SEARCH_MAX } from '#contract/parts/list-options.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import type { AccountState, PeopleFilter, Person } from '#contract/people.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Select } from '#web/ui/controls/field.tsx'
import { ShowEarlier } from '#web/ui/controls/pagination.tsx'
import { SearchInput } from '#web/ui/controls/search-input.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, Spinner } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { RelativeTime, Time, useNow } from '#web/ui/layout/time.tsx'
import { nameOf } from './mutations.ts'
import { Actions, Decision, type ResetLink, ResetLinkDialog } from './person-actions.tsx'
import { peopleQuery } from './queries.ts'

const filters: { value: PeopleFilter; label: string }[] = [
  { value: 'all', label: 'Everybody' },
  { value: 'awaiting', label: 'Waiting for approval' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'administrators', label: 'Administrators' },
]

/** The accounts of this server, newest first, with search and filter. */
export function People({ awaiting, hasPasswords }: { awaiting: number; hasPasswords: boolean }) {
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<PeopleFilter>('all')
  const show = useRef<HTMLSelectElement>(null)
  // Here rather than in the row of its account, which a search may remove before the link is made.
  const [link, setLink] = useState<ResetLink | null>(null)

  function showAwaiting() {
    setFilter('awaiting')
    show.current?.focus() // the focused button is removed
  }

  return (
    <>
      <div className="flex flex-wrap gap-2.5">
        <SearchInput
          label="Search people"
          placeholder="Search by name or email..."
          className="min-w-[min(14rem,100%)] flex-1"
          maxLength={SEARCH_MAX}
          value={search}
          onChange={setSearch}
        />
        <Select
          ref={show}
          aria-label="Show"
          options={filters}
          value={filter}
          onChange={({ target }) => setFilter(target.value as PeopleFilter)}
        />
      </div>
      {awaiting > 0 && filter !== 'awaiting' && (
        <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          {awaiting === 1 ? 'One account waits' : `${awaiting.toLocaleString()} accounts wait`} for approval.
          <Button size="sm" aria-label="Show the accounts that wait" onClick={showAwaiting}>
            Show
          </Button>
        </p>
      )}
      <PeopleList search={search} filter={filter} hasPasswords={hasPasswords} onLink={setLink} />
      {link && <ResetLinkDialog {...link} onClose={() => setLink(null)} />}
    </>
  )
}

type RowProps = { hasPasswords: boolean; onLink: (link: ResetLink) => void }
type PeopleListProps = RowProps & { search: string; filter: PeopleFilter }

function PeopleList({ search, filter, ...rowProps }: PeopleListProps) {
  const term = useDeferredValue(search.trim())
  const query = useInfiniteQuery({ ...peopleQuery(term, filter), refetchOnMount: 'always' })
  // The people of the previous search are shown until those of the current one are fetched.
  const { data, isPlaceholderData: isOutdated, isError, isFetching, refetch } = query
  const people = data?.pages.flatMap((page) => page.people) ?? []
  const now = useNow()
  if (!data && isError)
    return (
      <FetchFailed title="The people could not be fetched" busy={isFetching} onRetry={() => void refetch()} />
    )
  if (!data)
    return (
      <output className="mt-4 block">
        <VisuallyHidden>Loading the people</VisuallyHidden>
        <Skeleton className="h-40 rounded-md" />
      </output>
    )
  return (
    <>
      <Outdated of={[query]} className="mt-4" />
      <p aria-live="polite" className="mt-2 min-h-5 text-sm">
        {isOutdated && <Spinner label="Loading the people" />}
      </p>
      {people.length === 0 && !isOutdated && (
        <EmptyState title="Nobody found">
          {term ? `No account matches “${term}”.` : 'There is no such account.'}
        </EmptyState>
      )}
      {people.length > 0 && (
        <ul
          tabIndex={-1}
          aria-label="People"
          className="mt-2 divide-y divide-line border-t border-line outline-none"
        >
          {people.map((person) => (
            <li key={person._id}>
              <PersonRow person={person} now={now} {...rowProps} />
            </li>
          ))}
        </ul>
      )}
      <div className="-mb-6 pt-4">
        <ShowEarlier query={query} />
      </div>
    </>
  )
}

const stateBadges: {
  [state in AccountState]: { label: string; tone: 'warning' | 'danger' | 'neutral' } | null
} = {
  active: null,
  awaiting: { label: 'Waits for approval', tone: 'warning' },
  suspended: { label: 'Suspended', tone: 'danger' },
  leaving: { label: 'Being deleted', tone: 'neutral' },
}

type PersonRowProps = RowProps & { person: Person; now: number }

function PersonRow({ person, now, hasPasswords, onLink }: PersonRowProps) {
  const { user } = useSession()
  const { email, state, isAdmin, lastSeenAt, createdAt, storage } = person
  const isMe = person._id === user?._id
  const badge = stateBadges[state]
  return (
    <article
      aria-label={nameOf(person)}
      className={clsx('flex items-center gap-x-4 gap-y-2.5 py-3.5', state === 'awaiting' && 'flex-wrap')}
    >
      <div className={clsx('flex-1', state === 'awaiting' ? 'min-w-[min(13rem,100%)]' : 'min-w-0')}>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 font-semibold wrap-anywhere">{nameOf(person)}</bdi>
          {isMe && <Badge>You</Badge>}
          {isAdmin && <Badge tone="admin">Administrator</Badge>}
          {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
        </p>
        <p className="text-sm wrap-anywhere text-muted">{email}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            Joined <Time iso={createdAt} />
          </span>
          <span>
            {lastSeenAt === null ? (
              'Never signed in'
            ) : (
              <>
                Last seen: <RelativeTime at={lastSeenAt} now={now} className="" />
              </>
            )}
          </span>
          <span>
            {sizeText(storage.used)} of {sizeText(storage.quota)}
          </span>
        </p>
      </div>
      {state === 'awaiting' ? (
        <Decision person={person} />
      ) : (
        <Actions person={person} isMe={isMe} hasPasswords={hasPasswords} onLink={onLink} />
      )}
    </article>
  )
}
