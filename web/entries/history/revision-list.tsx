import { clsx } from 'clsx'
import { use } from 'react'
import type { Revision } from '#contract/history.ts'
import { Badge } from '#web/ui/layout/badge.tsx'
import { dayName } from '#web/ui/layout/days.ts'
import { DateContext, Time, useNow } from '#web/ui/layout/time.tsx'

type RevisionListProps = {
  revisions: Revision[]
  /** The id of the selected version. */
  shown: string | undefined
  onChoose: (revision: Revision) => void
}

/** Versions by the day of their save, the newest first. */
export function RevisionList({ revisions, shown, onChoose }: RevisionListProps) {
  const now = useNow()
  const choice = use(DateContext)
  const days = new Map<string, Revision[]>()
  for (const revision of revisions) {
    const day = dayName(revision.createdAt, now, choice)
    days.set(day, [...(days.get(day) ?? []), revision])
  }
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={day} className="px-2 pt-5 sm:px-4 lg:px-2">
      <h3 className="px-3 pb-1 text-xs font-semibold text-muted">{day}</h3>
      <ol>
        {ofDay.map((revision) => (
          <li key={revision._id}>
            <button
              type="button"
              aria-current={revision._id === shown || undefined}
              className={clsx(
                'flex w-full flex-col gap-1 rounded-md px-3 py-2 text-left hover:bg-hover pointer-coarse:min-h-14',
                'lg:aria-[current]:bg-sunken lg:aria-[current]:shadow-[inset_2px_0_var(--accent)]',
              )}
              onClick={() => onChoose(revision)}
            >
              <RevisionFacts revision={revision} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  ))
}

/** The name, the time, the authors and the origin of a version. */
function RevisionFacts({ revision }: { revision: Revision }) {
  const { createdAt, authors, name, cause, state, isCurrent } = revision
  return (
    <>
      {name !== null && <bdi className="line-clamp-2 text-sm font-semibold wrap-anywhere">{name}</bdi>}
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <Time
          iso={createdAt}
          format="time"
          className={clsx('tabular-nums', name === null ? 'font-semibold' : 'text-muted')}
        />
        {isCurrent && <Badge tone="accent">Current</Badge>}
        {cause === 'restore' && <Badge>Restored</Badge>}
        {cause === 'merge' && <Badge>Merged</Badge>}
        {state === 'draft' && <Badge>Draft, only you see it</Badge>}
      </span>
      {authors.length > 0 && <bdi className="truncate text-xs text-muted">{namesOf(revision)}</bdi>}
    </>
  )
}

const listFormat = new Intl.ListFormat('en')

/** The names of a version's authors. */
export const namesOf = ({ authors }: Pick<Revision, 'authors'>) =>
  listFormat.format(authors.map(({ name }) => name))
