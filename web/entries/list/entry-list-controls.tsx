import { clsx } from 'clsx'
import { LayoutGrid, List, ListChecks } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { ENTRY_PAGE_SIZES, ENTRY_SORTS, SEARCH_MAX } from '#contract/parts/list-options.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Select } from '#web/ui/controls/field.tsx'
import { SearchInput } from '#web/ui/controls/search-input.tsx'
import type { EntryFilters, PageSize, Sort, View } from './entry-filters.ts'

const sortLabels: { [sort in Sort]: string } = { newest: 'Newest', oldest: 'Oldest', title: 'Title' }
const sorts = ENTRY_SORTS.map((value) => ({ value, label: sortLabels[value] }))

const sizes = ENTRY_PAGE_SIZES.map((size) => ({ value: String(size), label: `Show ${size}` }))

const pressedClass = 'aria-pressed:bg-accent-soft aria-pressed:text-accent'

const views = [
  { value: 'grid', label: 'Grid view', icon: <LayoutGrid /> },
  { value: 'list', label: 'List view', icon: <List /> },
] as const

type EntryListControlsProps = {
  filters: EntryFilters
  /** Null if there is no choice of a tag. */
  tags: readonly string[] | null
  typed: string
  onType: (search: string) => void
  onChange: (changes: Partial<EntryFilters>) => void
  /** Shows the controls less prominently, if there are few entries. */
  quiet: boolean
  /** A description of the list. */
  count: ReactNode
  /** The button that starts and ends choosing entries; absent without the right to edit. */
  selecting?: Selecting | undefined
  selectButton: Ref<HTMLButtonElement>
}

type Selecting = { isOn: boolean; onToggle: () => void }

/** Search, tag, order, page size and view of the entry list in one row, and the number of shown entries below. */
export function EntryListControls(props: EntryListControlsProps) {
  const { filters, tags, typed, onType, onChange, quiet, count, selecting, selectButton } = props
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 gap-y-2 @xl:grid-cols-[minmax(11rem,1fr)_minmax(0,auto)_auto]">
      <SearchInput
        label="Search entries"
        placeholder="Search entries..."
        value={typed}
        onChange={onType}
        maxLength={SEARCH_MAX}
        quiet={quiet}
        className={clsx('print:hidden', quiet && '-ml-3')}
      />
      <div
        className={clsx(
          'flex items-center gap-1.5 @max-xl:order-1 @max-xl:col-span-2 @max-xl:flex-wrap print:hidden',
          quiet && '@max-xl:-mx-2',
        )}
      >
        {tags && (
          <TagFilter quiet={quiet} tag={filters.tag} tags={tags} onChange={(tag) => onChange({ tag })} />
        )}
        <Select
          compact
          quiet={quiet}
          className="@xl:shrink-0"
          aria-label="Sort entries"
          options={sorts}
          value={filters.sort}
          onChange={({ target }) => onChange({ sort: target.value as Sort })}
        />
        <Select
          compact
          quiet={quiet}
          className="@xl:shrink-0"
          aria-label="Entries per page"
          options={sizes}
          value={String(filters.size)}
          onChange={({ target }) => onChange({ size: Number(target.value) as PageSize })}
        />
      </div>
      <div className="flex justify-end gap-1 print:hidden">
        {selecting && (
          <IconButton
            ref={selectButton}
            size="sm"
            label="Select entries"
            icon={<ListChecks />}
            aria-pressed={selecting.isOn}
            className={pressedClass}
            onClick={selecting.onToggle}
          />
        )}
        <ViewToggle view={filters.view} onChange={(view) => onChange({ view })} />
      </div>
      {count}
    </div>
  )
}

type TagFilterProps = {
  quiet: boolean
  tag: string | null
  tags: readonly string[]
  onChange: (tag: string | null) => void
}

function TagFilter({ quiet, tag, tags, onChange }: TagFilterProps) {
  const known = tag === null || tags.includes(tag) ? tags : [tag, ...tags]
  const options = [{ value: '', label: 'All tags' }, ...known.map((name) => ({ value: name, label: name }))]
  return (
    <Select
      compact
      quiet={quiet}
      className="min-w-24 max-w-44! @max-xl:flex-1"
      aria-label="Filter by tag"
      options={options}
      value={tag ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
    />
  )
}

/** Switches between grid and list. */
function ViewToggle({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  return (
    <fieldset aria-label="View" className="flex print:hidden">
      {views.map(({ value, label, icon }) => (
        <IconButton
          key={value}
          size="sm"
          label={label}
          icon={icon}
          aria-pressed={value === view}
          className={pressedClass}
          onClick={() => onChange(value)}
        />
      ))}
    </fieldset>
  )
}
