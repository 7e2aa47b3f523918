import { clsx } from 'clsx'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { Entry } from '#contract/entries.ts'
import { isTemporary } from '#web/api/optimistic.ts'
import { DeleteEntryDialog, EntryEditor } from '#web/entries/dialogs.ts'
import { useDeleteEntry } from '#web/entries/mutations.ts'
import { editingQuery, entryPath } from '#web/entries/paths.ts'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { Day } from '#web/ui/layout/time.tsx'
import type { View } from './entry-filters.ts'

type EntryCardsProps = {
  projectId: string
  milestoneId: string
  entries: readonly Entry[]
  view: View
  canEdit: boolean
}

/** One page of entries, with their actions for those who can edit. */
export function EntryCards({ projectId, milestoneId, entries, view, canEdit }: EntryCardsProps) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const remove = useDeleteEntry({ projectId, milestoneId })
  const [toDelete, setToDelete] = useState<Entry | null>(null)
  const hasSeveralAuthors = new Set(entries.flatMap(({ author }) => author?.name ?? [])).size > 1

  function confirm(entry: Entry) {
    setToDelete(null)
    remove.mutate(entry._id)
  }

  const actionsFor = (entry: Entry) => ({
    onEdit: () =>
      // The editor's layer has a history entry of its own.
      void navigate(editingQuery(entry, params), { replace: true, preventScrollReset: true }),
    onDelete: () => setToDelete(entry),
  })

  return (
    <>
      <ul className={view === 'grid' ? entryGridClass : entryRowsClass}>
        {entries.map((entry) => (
          <li key={entry._id} className="min-w-0">
            <EntryCard
              projectId={projectId}
              entry={entry}
              view={view}
              showsAuthor={hasSeveralAuthors}
              actions={canEdit ? actionsFor(entry) : undefined}
            />
          </li>
        ))}
      </ul>
      {toDelete && (
        <DeleteEntryDialog entry={toDelete} onConfirm={confirm} onClose={() => setToDelete(null)} />
      )}
    </>
  )
}

const TAGS_SHOWN: { [view in View]: number } = { grid: 3, list: 5 }

type EntryCardProps = {
  projectId: string
  entry: Entry
  view: View
  showsAuthor: boolean
  /** Absent without the right to edit. */
  actions?: { onEdit: () => void; onDelete: () => void }
}

/** An entry in the list. The whole card links to its page, except for its buttons. */
function EntryCard({ projectId, entry, view, showsAuthor, actions }: EntryCardProps) {
  const isSaving = isTemporary(entry)
  return (
    <Card
      aria-busy={isSaving || undefined}
      className={clsx(
        'group relative flex h-full flex-col transition-shadow focus-within:border-edge/60 hover:border-edge/60 hover:shadow-md',
        view === 'grid' ? 'gap-2.5 p-4 sm:p-5' : 'gap-1.5 px-4 py-3.5 sm:px-5',
        isSaving && 'opacity-60',
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
          {isSaving ? (
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
        {actions && !isSaving && <EntryActions title={entry.title} {...actions} />}
      </div>
      <p className={clsx('text-sm text-muted', view === 'grid' ? 'line-clamp-3' : 'line-clamp-1')}>
        {entry.excerpt}
      </p>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-0.5">
        <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-xs text-muted">
          {entry.state === 'draft' && <Badge>Draft</Badge>}
          {isSaving ? 'Saving...' : <Day on={entry.happenedOn} zone={entry.happenedZone} />}
          {showsAuthor && entry.author && (
            <>
              <span aria-hidden="true">·</span>
              <bdi className="truncate">{entry.author.name}</bdi>
            </>
          )}
        </span>
        <EntryTags tags={entry.tags} shown={TAGS_SHOWN[view]} />
      </div>
    </Card>
  )
}

/** Decorative: the title beside it is the text alternative. */
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

/** As many columns as the width of the list allows. */
export const entryGridClass = 'grid gap-3 @lg:grid-cols-2 @lg:gap-4 @4xl:grid-cols-3'

const entryRowsClass = 'grid gap-2.5'
