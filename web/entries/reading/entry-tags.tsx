import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { TagChip } from '#web/ui/layout/badge.tsx'

/** The first `shown` tags of an entry, and the number of the others. */
export function EntryTags({ tags, shown = tags.length }: { tags: readonly string[]; shown?: number }) {
  if (tags.length === 0) return null
  const more = tags.slice(shown)
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1.5">
      {tags.slice(0, shown).map((tag) => (
        <li key={tag} className="flex max-w-full">
          <TagChip tag={tag} />
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
