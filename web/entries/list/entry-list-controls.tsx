import { LayoutGrid, List } from 'lucide-react'
import type { ReactNode } from 'react'
import { ENTRY_PAGE_SIZES, SEARCH_MAX } from '#contract/lists.ts'
import { Select } from '#web/ui/controls/field.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SearchInput } from '#web/ui/controls/search-input.tsx'
import type { EntryFilters, PageSize, Sort, View } from './entry-filters.ts'

const sorts: { value: Sort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'title', label: 'Title' },
]

const sizes = ENTRY_PAGE_SIZES.map((size) => ({ value: String(size), label: `Show ${size}` }))

const views = [
  { value: 'grid', label: 'Grid view', icon: <LayoutGrid /> },
  { value: 'list', label: 'List view', icon: <List /> },
] as const

type EntryListControlsProps = {
  filters: EntryFilters
  tags: readonly string[]
  typed: string
  onType: (search: string) => void
  onChange: (changes: Partial<EntryFilters>) => void
  addButton: ReactNode
}

/** Search, tag, order and page size of the entry list, and the button that adds an entry. */
export function EntryListControls(props: EntryListControlsProps) {
  const { filters, tags, typed, onType, onChange, addButton } = props
  return (
    <div className="flex flex-col gap-2.5" data-print="hidden">
      <div className="flex flex-wrap gap-2.5">
        <SearchInput
          label="Search entries"
          placeholder="Search entries..."
          value={typed}
          onChange={onType}
          maxLength={SEARCH_MAX}
          className="min-w-32 flex-1"
        />
        {addButton}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <TagFilter tag={filters.tag} tags={tags} onChange={(tag) => onChange({ tag })} />
        <Select
          compact
          aria-label="Sort entries"
          options={sorts}
          value={filters.sort}
          onChange={({ target }) => onChange({ sort: target.value as Sort })}
        />
        <Select
          compact
          aria-label="Entries per page"
          options={sizes}
          value={String(filters.size)}
          onChange={({ target }) => onChange({ size: Number(target.value) as PageSize })}
        />
      </div>
    </div>
  )
}

type TagFilterProps = { tag: string | null; tags: readonly string[]; onChange: (tag: string | null) => void }

function TagFilter({ tag, tags, onChange }: TagFilterProps) {
  const known = tag === null || tags.includes(tag) ? tags : [tag, ...tags]
  const options = [{ value: '', label: 'All tags' }, ...known.map((name) => ({ value: name, label: name }))]
  return (
    <Select
      compact
      className="min-w-24 flex-1 @md:max-w-44 @md:flex-none"
      aria-label="Filter by tag"
      options={options}
      value={tag ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
    />
  )
}

/** Switches between grid and list. */
export function ViewToggle({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  return (
    <fieldset aria-label="View" className="flex">
      {views.map(({ value, label, icon }) => (
        <IconButton
          key={value}
          size="sm"
          label={label}
          icon={icon}
          aria-pressed={value === view}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => onChange(value)}
        />
      ))}
    </fieldset>
  )
}
