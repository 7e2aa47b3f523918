import { Link } from '#web/ui/controls/link.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { TagChip, tagChipClass } from '#web/ui/layout/badge.tsx'

type EntryTagsProps = {
  tags: readonly string[]
  /** The maximum number of tags; the rest is a count. */
  shown?: number
  /** The link to the entries with a tag, or … */
  pathOf?: (tag: string) => string
  /** … the function that filters the current list. */
  onSelect?: (tag: string) => void
}

/** The tags of an entry. They are stacked above the link that covers a card. */
export function EntryTags({ tags, shown = tags.length, pathOf, onSelect }: EntryTagsProps) {
  if (tags.length === 0) return null
  const more = tags.slice(shown)
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1.5 pointer-coarse:gap-y-4.5">
      {tags.slice(0, shown).map((tag) => (
        <li key={tag} className="flex max-w-full">
          {pathOf ? (
            <Link to={pathOf(tag)} title={`Entries tagged ${tag}`} className={tagActionClass}>
              <TagText tag={tag} />
            </Link>
          ) : onSelect ? (
            <button
              type="button"
              title={`Show entries tagged ${tag}`}
              className={tagActionClass}
              onClick={() => onSelect(tag)}
            >
              <TagText tag={tag} />
            </button>
          ) : (
            <TagChip tag={tag} />
          )}
        </li>
      ))}
      {more.length > 0 && (
        <li className="text-xs font-medium text-muted" title={more.join(', ')}>
          +{more.length}
          <VisuallyHidden> more tags</VisuallyHidden>
        </li>
      )}
    </ul>
  )
}

const TagText = ({ tag }: { tag: string }) => (
  <span dir="auto" className="truncate">
    {tag}
  </span>
)

/** Enlarges the touch target of the small chip. */
const tagActionClass = `${tagChipClass} relative z-10 px-2.5 py-0.5 transition-colors hover:border-edge hover:text-ink after:absolute after:-inset-x-0.5 after:-inset-y-1 pointer-coarse:after:-inset-x-1 pointer-coarse:after:-inset-y-2.5`
