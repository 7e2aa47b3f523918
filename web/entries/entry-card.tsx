import { clsx } from 'clsx'
import { Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Entry } from '#contract/entries.ts'
import { isUnsaved } from '#web/api/optimistic.ts'
import { Card } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Time } from '#web/ui/time.tsx'
import { DeleteEntryDialog, EntryEditor } from './dialogs.ts'
import type { View } from './entry-filters.ts'
import { EntryTags } from './entry-tags.tsx'
import { entryPath } from './paths.ts'

const TAGS_SHOWN: { [view in View]: number } = { grid: 3, list: 5 }

type EntryCardProps = {
  projectId: string
  entry: Entry
  view: View
  /** Absent where the reader may only read. */
  actions?: { onEdit: () => void; onDelete: () => void }
}

/** An entry in the list: all of it is the way to its page, but for its two buttons. */
export function EntryCard({ projectId, entry, view, actions }: EntryCardProps) {
  const unsaved = isUnsaved(entry)
  return (
    <Card
      aria-busy={unsaved || undefined}
      className={clsx(
        'group relative flex h-full flex-col transition-shadow focus-within:border-edge/60 hover:border-edge/60 hover:shadow-md',
        view === 'grid' ? 'gap-2.5 p-4 sm:p-5' : 'gap-1.5 px-4 py-3.5 sm:px-5',
        unsaved && 'opacity-60',
      )}
    >
      {entry.image && view === 'grid' && (
        <CardImage
          url={entry.image.smallURL}
          className="-mx-4 -mt-4 mb-1 aspect-video w-[calc(100%+2rem)] max-w-none rounded-t-lg sm:-mx-5 sm:-mt-5 sm:w-[calc(100%+2.5rem)]"
        />
      )}
      <div className="flex items-start gap-2">
        {entry.image && view === 'list' && (
          <CardImage url={entry.image.smallURL} className="mr-1.5 size-12 shrink-0 rounded-md" />
        )}
        <h3 className="min-w-0 flex-1 font-reading text-lg leading-snug font-medium">
          {unsaved ? (
            entry.title
          ) : (
            <Link
              to={entryPath(projectId, entry)}
              dir="auto"
              className="line-clamp-2 rounded-sm after:absolute after:inset-0 after:rounded-lg group-hover:text-accent"
            >
              {entry.title}
            </Link>
          )}
        </h3>
        {actions && !unsaved && <EntryActions title={entry.title} {...actions} />}
      </div>
      <p className={clsx('text-sm text-muted', view === 'grid' ? 'line-clamp-3' : 'line-clamp-1')}>
        {entry.excerpt}
      </p>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-0.5">
        <span className="text-xs text-muted">{unsaved ? 'Saving...' : <Time iso={entry.createdAt} />}</span>
        <EntryTags tags={entry.tags} shown={TAGS_SHOWN[view]} />
      </div>
    </Card>
  )
}

/** Beside its title, which says what there is to say. */
function CardImage({ url, className }: { url: string; className: string }) {
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      className={clsx('bg-sunken object-cover', className)}
    />
  )
}

function EntryActions({
  title,
  onEdit,
  onDelete,
}: {
  title: string
  onEdit: () => void
  onDelete: () => void
}) {
  return (
    <div className="relative z-10 -mt-1.5 -mr-1.5 flex shrink-0">
      <IconButton
        size="sm"
        label={`Edit entry ${title}`}
        icon={<Pencil />}
        {...EntryEditor.near}
        onClick={onEdit}
      />
      <IconButton
        danger
        size="sm"
        label={`Delete entry ${title}`}
        icon={<Trash2 />}
        {...DeleteEntryDialog.near}
        onClick={onDelete}
      />
    </div>
  )
}
