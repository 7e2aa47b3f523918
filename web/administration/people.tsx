import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useRef, useState } from 'react'
import type { AccountState, PeopleFilter, Person } from '#contract/administration.ts'
import { SEARCH_MAX } from '#contract/lists.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Select } from '#web/ui/controls/field.tsx'
import { ShowEarlier } from '#web/ui/controls/pagination.tsx'
import { SearchInput } from '#web/ui/controls/search-input.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Menu, menuRowClass } from '#web/ui/dialogs/menu.tsx'
import { LazyConfirmDialog } from '#web/ui/dialogs/on-demand.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { useKeepFocus, VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { storageSize } from '#web/ui/layout/storage-size.ts'
import { RelativeTime, Time, useNow } from '#web/ui/layout/time.tsx'
import { nameOf, type PersonChange, useMakeResetLink, useRefusePerson, useUpdatePerson } from './mutations.ts'
import { peopleQuery } from './queries.ts'

const filters: { value: PeopleFilter; label: string }[] = [
  { value: 'all', label: 'Everybody' },
  { value: 'awaiting', label: 'Waiting for approval' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'administrators', label: 'Administrators' },
]

/** The accounts of this server: searched, filtered, the newest first. */
export function People({ awaiting, hasPasswords }: { awaiting: number; hasPasswords: boolean }) {
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<PeopleFilter>('all')
  return (
    <>
      <div className="flex flex-wrap gap-2.5">
        <SearchInput
          label="Search people"
          placeholder="Search by name or email..."
          className="min-w-56 flex-1"
          maxLength={SEARCH_MAX}
          value={search}
          onChange={setSearch}
        />
        <Select
          aria-label="Show"
          options={filters}
          value={filter}
          onChange={({ target }) => setFilter(target.value as PeopleFilter)}
        />
      </div>
      {awaiting > 0 && filter !== 'awaiting' && (
        <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          {awaiting === 1 ? 'One account waits' : `${awaiting.toLocaleString()} accounts wait`} for approval.
          <Button size="sm" onClick={() => setFilter('awaiting')}>
            Show
          </Button>
        </p>
      )}
      <PeopleList search={search} filter={filter} hasPasswords={hasPasswords} />
    </>
  )
}

type PeopleListProps = { search: string; filter: PeopleFilter; hasPasswords: boolean }

function PeopleList({ search, filter, hasPasswords }: PeopleListProps) {
  const term = useDeferredValue(search.trim())
  const query = useInfiniteQuery({ ...peopleQuery(term, filter), refetchOnMount: 'always' })
  const { data, isError, isFetching, refetch } = query
  const list = useRef<HTMLUListElement>(null)
  const people = data?.pages.flatMap((page) => page.people) ?? []
  useKeepFocus(list, people.length)
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
  if (people.length === 0)
    return (
      <EmptyState title="Nobody found">
        {term ? `No account matches “${term}”.` : 'There is no such account.'}
      </EmptyState>
    )
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="People"
        className="mt-4 divide-y divide-line border-t border-line outline-none"
      >
        {people.map((person) => (
          <li key={person._id}>
            <PersonRow person={person} now={now} hasPasswords={hasPasswords} />
          </li>
        ))}
      </ul>
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

type PersonRowProps = { person: Person; now: number; hasPasswords: boolean }

function PersonRow({ person, now, hasPasswords }: PersonRowProps) {
  const { user } = useSession()
  const { email, state, isAdmin, lastSeenAt, createdAt, storage } = person
  const isMe = person._id === user?._id
  const badge = stateBadges[state]
  return (
    <article aria-label={nameOf(person)} className="flex flex-wrap items-center gap-x-4 gap-y-2.5 py-3.5">
      <div className="min-w-52 flex-1">
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
            {storageSize(storage.used)} of {storageSize(storage.quota)}
          </span>
        </p>
      </div>
      {state === 'awaiting' ? (
        <Decision person={person} />
      ) : (
        <Actions person={person} isMe={isMe} hasPasswords={hasPasswords} />
      )}
    </article>
  )
}

/** The buttons of an account that waits for approval. */
function Decision({ person }: { person: Person }) {
  const update = useUpdatePerson(person)
  const refuse = useRefusePerson(person)
  const [isAsking, setAsking] = useState(false)
  const name = nameOf(person)
  return (
    <div className="flex gap-2">
      <Button
        size="sm"
        variant="primary"
        aria-label={`Approve ${name}`}
        busy={update.isPending}
        onClick={() => update.mutate({ isApproved: true })}
      >
        Approve
      </Button>
      <Button
        size="sm"
        aria-label={`Refuse ${name}`}
        busy={refuse.isPending}
        {...LazyConfirmDialog.near}
        onClick={() => setAsking(true)}
      >
        Refuse
      </Button>
      {isAsking && (
        <LazyConfirmDialog
          question={`Refuse ${name}?`}
          detail="The account is deleted. Nobody is told, and they may ask again."
          verb="Refuse"
          onConfirm={() => {
            setAsking(false)
            refuse.mutate()
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type Question = { question: string; detail: string; verb: string; harmless?: boolean; change: PersonChange }

const questions = {
  suspend: (name: string): Question => ({
    question: `Suspend ${name}?`,
    detail:
      'They are signed out everywhere at once and cannot sign in. Their projects stay as they are, public ones too.',
    verb: 'Suspend',
    change: { isSuspended: true },
  }),
  appoint: (name: string): Question => ({
    question: `Make ${name} an administrator?`,
    detail: 'They can do everything on this page, also to you. They cannot read private projects of others.',
    verb: 'Make administrator',
    harmless: true,
    change: { isAdmin: true },
  }),
  dismiss: (name: string): Question => ({
    question: `Take the administrator’s right of ${name} away?`,
    detail: 'Their account stays as it is otherwise.',
    verb: 'Take away',
    change: { isAdmin: false },
  }),
}

type ActionsProps = { person: Person; isMe: boolean; hasPasswords: boolean }

/** What can be done with an account, behind a menu. */
function Actions({ person, isMe, hasPasswords }: ActionsProps) {
  const update = useUpdatePerson(person)
  const link = useMakeResetLink(person)
  const [asked, setAsked] = useState<Question | null>(null)
  const name = nameOf(person)
  const { state, isAdmin } = person
  const canReset = hasPasswords && (isMe || !isAdmin)
  if (state === 'leaving') return null
  return (
    <>
      <Menu label={`Actions for ${name}`}>
        {state === 'active' && (
          <Row onClick={() => setAsked(isAdmin ? questions.dismiss(name) : questions.appoint(name))}>
            {isAdmin ? 'Take away administrator’s right' : 'Make administrator'}
          </Row>
        )}
        {canReset && <Row onClick={() => link.mutate()}>Link for a new password</Row>}
        {state === 'suspended' && (
          <Row onClick={() => update.mutate({ isSuspended: false })}>End the suspension</Row>
        )}
        {state === 'active' && !isAdmin && (
          <Row onClick={() => setAsked(questions.suspend(name))}>Suspend</Row>
        )}
      </Menu>
      {asked && (
        <LazyConfirmDialog
          {...asked}
          onConfirm={() => {
            setAsked(null)
            update.mutate(asked.change)
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {link.data && <ResetLinkDialog name={name} token={link.data.token} onClose={link.reset} />}
    </>
  )
}

function Row({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className={menuRowClass} {...LazyConfirmDialog.near} onClick={onClick}>
      {children}
    </button>
  )
}

type ResetLinkDialogProps = { name: string; token: string; onClose: () => void }

/** Shows the link once: only its hash is stored. */
function ResetLinkDialog({ name, token, onClose }: ResetLinkDialogProps) {
  const link = `${window.location.origin}/reset-password/${token}`
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`A new password for ${name}`} sticky>
      <DialogBody>
        <p className="text-muted">
          By this link they choose a new password. It works once, within an hour, and signs the account out
          everywhere. It is shown only now: pass it on as you would a key.
        </p>
        <TextInput readOnly aria-label="Link" value={link} onFocus={({ target }) => target.select()} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <CopyButton text={link} label="Copy link" size="md" variant="primary" />
      </DialogFooter>
    </Dialog>
  )
}
