import { ENTRY_PAGE_SIZES } from '#contract/lists.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { entryGridClass } from './entry-grid.ts'

/** The room that the entry list will take. */
export function EntryListSkeleton({ count }: { count: number }) {
  return (
    <output className="@container flex flex-col gap-4">
      <VisuallyHidden>Loading entries</VisuallyHidden>
      <Skeleton className="h-20" />
      <div className={entryGridClass}>
        {Array.from({ length: Math.min(Math.max(count, 1), ENTRY_PAGE_SIZES[0]) }, (_, index) => (
          <Skeleton key={index} className="h-44 rounded-lg" />
        ))}
      </div>
    </output>
  )
}
