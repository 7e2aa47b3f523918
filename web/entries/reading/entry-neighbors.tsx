import { clsx } from 'clsx'
import { Link } from '#web/ui/controls/link.tsx'

type Neighbours = { previous: Neighbouring | null; next: Neighbouring | null }
type Neighbouring = { _id: string; title: string }
type PathOf = (entry: Neighbouring) => string

/** Links to the previous and next entry of the milestone. */
export function EntryNeighbors({ previous, next, pathOf }: Neighbours & { pathOf: PathOf }) {
  if (!previous && !next) return null
  return (
    <nav
      aria-label="Entries of this milestone"
      className="relative mt-16 grid grid-cols-2 gap-6 pt-8 before:absolute before:inset-x-0 before:top-[0.4375rem] before:border-t-2 before:border-dashed before:border-edge"
      data-print="hidden"
    >
      <span
        className="absolute top-0 left-1/2 size-4 -translate-x-1/2 rounded-full border-[3px] border-accent bg-accent"
        aria-hidden="true"
      />
      <Neighbour rel="prev" label="Previous entry" pathOf={pathOf} entry={previous} />
      <Neighbour rel="next" label="Next entry" pathOf={pathOf} entry={next} />
    </nav>
  )
}

type NeighbourProps = { rel: 'prev' | 'next'; label: string; pathOf: PathOf; entry: Neighbouring | null }

function Neighbour({ rel, label, pathOf, entry }: NeighbourProps) {
  if (!entry) return <span />
  const end = rel === 'next'
  return (
    <Link
      to={pathOf(entry)}
      rel={rel}
      className={clsx(
        'group relative flex min-w-0 flex-col gap-0.5 rounded-sm',
        end && 'items-end text-right',
      )}
    >
      <span
        className={clsx(
          'absolute -top-8 size-4 rounded-full border-[3px] border-edge bg-surface group-hover:border-ink',
          end ? 'right-0' : 'left-0',
        )}
        aria-hidden="true"
      />
      <span className="text-sm text-muted">{label}</span>
      <span
        dir="auto"
        className={clsx(
          'line-clamp-3 max-w-full font-reading text-lg/6 font-medium group-hover:text-accent',
          !end && 'text-left',
        )}
      >
        {entry.title}
      </span>
    </Link>
  )
}
