import type { StatusFilter } from './collaboration-filters.ts'

const labels: { [status in StatusFilter]: string } = {
  all: 'All',
  accepted: 'Accepted',
  pending: 'Pending',
  declined: 'Declined',
}

type StatusFiltersProps = {
  choices: readonly StatusFilter[]
  status: StatusFilter
  onChange: (status: StatusFilter) => void
}

/** Which collaborations are shown, by how their invitation stands. */
export function StatusFilters({ choices, status, onChange }: StatusFiltersProps) {
  return (
    <fieldset
      aria-label="Status"
      className="flex max-w-full min-w-0 flex-wrap gap-1 rounded-lg bg-sunken p-1 max-sm:w-full"
    >
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === status}
          className="h-8 flex-1 rounded-md border border-transparent px-2 text-sm font-semibold text-muted transition-colors hover:text-ink aria-pressed:border-line aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-sm sm:px-3.5 pointer-coarse:h-11"
          onClick={() => onChange(choice)}
        >
          {labels[choice]}
        </button>
      ))}
    </fieldset>
  )
}
