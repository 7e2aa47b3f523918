import { clsx } from 'clsx'
import { Check, Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { Entry } from '#contract/entries.ts'
import { composerPreloadProps } from '#web/commands/compose.ts'
import type { Selection } from '#web/entries/bulk/use-selection.ts'
import { DeleteEntryDialog } from '#web/entries/dialogs.ts'
import { useDeleteEntry } from '#web/entries/mutations.ts'
import { editingQuery, entryPath } from '#web/entries/paths.ts'
import { EntryTags } from '#web/entries/reading/entry-tags.tsx'
import { useSession } from '#web/identity/session.tsx'
import { isUnsaved, useDelay } from '#web/saving/overlay.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Cover } from '#web/ui/layout/cover.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'
import { useWatch } from '#web/watching/queries.ts'
import type { View } from './entry-filters.ts'

type EntryCardsProps = {
  projectId: string
  entries: readonly Entry[]
  view: View
  canEdit: boolean
  /** The titles of milestones by id, if entries of several are listed. */
  milestoneTitles?: ReadonlyMap<string, string> | undefined
  onTag: (tag: string) => void
  selection?: Selection | undefined
}

/** One page of entries, with actions for people who may edit. */
export function EntryCards(props: EntryCardsProps) {
  const { projectId, entries, view, canEdit, milestoneTitles, onTag, selection } = props
  const chosen = selection?.chosen
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const remove = useDeleteEntry(projectId)
  const [toDelete, setToDelete] = useState<Entry | null>(null)
  const isNew = useIsNew(projectId)
  const hasSeveralAuthors = new Set(entries.flatMap(({ author }) => author?.name ?? [])).size > 1

  function confirm(entry: Entry) {
    setToDelete(null)
    remove.mutate(entry)
  }

  const actionsFor = (entry: Entry) => ({
    onEdit: () =>
      // The composer's layer has its own history entry.
      void navigate(editingQuery(entry, params), { replace: true, preventScrollReset: true }),
    onDelete: () => setToDelete(entry),
  })

  return (
    <>
      <ul className={view === 'grid' ? entryGridClass : entryRowsClass}>
        {entries.map((entry) => (
          <li key={entry._id} className="group/item min-w-0 break-inside-avoid only:col-span-full">
            <EntryCard
              projectId={projectId}
              entry={entry}
              view={view}
              showsAuthor={hasSeveralAuthors}
              isNew={isNew(entry)}
              milestoneTitle={milestoneTitles?.get(entry.milestone)}
              onTag={onTag}
              actions={canEdit && !chosen ? actionsFor(entry) : undefined}
              choice={
                chosen && selection
                  ? {
                      isChosen: chosen.has(entry._id),
                      onChoose: (isChosen, range) => selection.toggle(entry, isChosen, { range }),
                    }
                  : undefined
              }
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

/** Returns whether an entry of others was published since the user's last visit of the project. */
function useIsNew(projectId: string) {
  const newSince = useWatch(projectId)?.newSince ?? null
  const { user } = useSession()
  return ({ publishedAt, state, author }: Entry) =>
    newSince !== null &&
    state === 'published' &&
    publishedAt !== null &&
    publishedAt > newSince &&
    author !== null &&
    author.name !== user?.name
}

const TAGS_SHOWN: { [view in View]: number } = { grid: 3, list: 5 }

type EntryCardProps = {
  projectId: string
  entry: Entry
  view: View
  showsAuthor: boolean
  isNew: boolean
  milestoneTitle: string | undefined
  onTag: (tag: string) => void
  /** Absent without the right to edit. */
  actions?: { onEdit: () => void; onDelete: () => void } | undefined
  /** Present while entries are being chosen. */
  choice?: Choice | undefined
}

type Choice = { isChosen: boolean; onChoose: (isChosen: boolean, range: boolean) => void }

/** An entry in the list. The whole card links to its page, except for its buttons; while entries are being chosen, it chooses the entry. */
function EntryCard(props: EntryCardProps) {
  const { projectId, entry, view, showsAuthor, isNew, milestoneTitle, onTag, actions, choice } = props
  const isSaving = isUnsaved(entry)
  const delay = useDelay(entry._id)
  return (
    <Card
      aria-busy={isSaving || undefined}
      className={clsx(
        'group relative flex h-full transition-shadow focus-within:border-edge/60 hover:border-edge/60 hover:shadow-md',
        view === 'grid' ? 'flex-col p-4 sm:p-5' : 'gap-4 p-3.5 sm:px-4',
        isSaving && 'opacity-60',
        choice?.isChosen && 'border-accent!',
        choice && 'select-none',
      )}
    >
      {choice && !isSaving && <ChooseEntry title={entry.title} {...choice} />}
      {entry.image && <Cover image={entry.image} className={coverClass[view]} />}
      <div className={clsx('flex min-w-0 flex-1 flex-col', view === 'grid' ? 'gap-2.5' : 'gap-1')}>
        <div className={clsx('min-w-0', choice && 'pe-8')}>
          {milestoneTitle !== undefined && (
            <p dir="auto" className="mb-0.5 truncate text-xs font-medium text-muted">
              {milestoneTitle}
            </p>
          )}
          <h3 className="font-reading text-lg leading-snug font-medium">
            {isSaving || choice ? (
              <span dir="auto" className="line-clamp-2">
                {entry.title}
              </span>
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
        </div>
        <p className={clsx('text-muted', excerptClass(entry, view))}>{entry.excerpt}</p>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-0.5">
          <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-xs text-muted flex-1">
            {isNew && <Badge tone="accent">New</Badge>}
            {entry.state === 'draft' && <Badge>Draft</Badge>}
            {entry.state === 'scheduled' && entry.publishAt !== undefined && (
              <Badge>
                Scheduled for <Time iso={entry.publishAt} format="datetime" />
              </Badge>
            )}
            {isSaving ? (delay ?? 'Saving...') : <Day on={entry.happenedOn} zone={entry.happenedZone} />}
            {!isSaving && delay !== undefined && <output>· {delay}</output>}
            {showsAuthor && entry.author && (
              <>
                <span aria-hidden="true">·</span>
                <Avatar {...entry.author} className="size-4 text-[0.55rem]" />
                <bdi className="truncate">{entry.author.name}</bdi>
              </>
            )}
          </span>
          {actions && !isSaving && <EntryActions title={entry.title} {...actions} />}
          {entry.tags.length > 0 && (
            <div className="-order-1 min-w-0 basis-full">
              <EntryTags tags={entry.tags} shown={TAGS_SHOWN[view]} onSelect={onTag} />
            </div>
          )}
        </div>
      </div>
    </Card>
  )
}

/** The checkbox that covers a card. With Shift it chooses all cards from the last one that was pressed. */
function ChooseEntry({ title, isChosen, onChoose }: Choice & { title: string }) {
  const isShifted = useRef(false)
  // A checkbox that is pressed by a key tells nothing of Shift.
  const remember = ({ shiftKey }: { shiftKey: boolean }) => {
    isShifted.current = shiftKey
  }

  return (
    <>
      <input
        type="checkbox"
        aria-label={`Select entry ${title}`}
        checked={isChosen}
        className="peer absolute inset-0 z-20 size-full cursor-pointer rounded-lg opacity-0"
        onKeyDown={remember}
        onKeyUp={remember}
        onPointerDown={remember}
        onChange={({ target }) => onChoose(target.checked, isShifted.current)}
      />
      <span
        aria-hidden="true"
        className={clsx(
          'pointer-events-none absolute end-3 top-3 z-10 grid size-6 place-items-center rounded-md border-2 shadow-sm peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus',
          isChosen ? 'border-accent bg-accent text-accent-ink' : 'border-edge bg-raised',
        )}
      >
        {isChosen && <Check className="size-4" strokeWidth={3} />}
      </span>
    </>
  )
}

const coverClass: { [view in View]: string } = {
  grid: '-mx-4 -mt-4 mb-3.5 aspect-video w-[calc(100%+2rem)] max-w-none rounded-t-lg group-only/item:@lg:aspect-[3/1] sm:-mx-5 sm:-mt-5 sm:w-[calc(100%+2.5rem)]',
  list: 'size-14 shrink-0 rounded-md sm:size-19',
}

/** A card without a picture shows more of its text if other cards have one. */
function excerptClass({ image }: Entry, view: View): string {
  if (view === 'list') return 'line-clamp-1 text-sm'
  return image ? 'line-clamp-3 text-sm' : 'line-clamp-4 font-reading text-base/relaxed @lg:line-clamp-8'
}

/** The buttons of a card, always visible. */
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
    <div className="relative z-10 -my-3 -mr-3 flex shrink-0">
      <IconButton
        size="sm"
        label={`Edit entry ${title}`}
        tip="Edit entry"
        icon={<Pencil />}
        {...composerPreloadProps}
        onClick={onEdit}
      />
      <IconButton
        danger
        size="sm"
        label={`Delete entry ${title}`}
        tip="Delete entry"
        icon={<Trash2 />}
        {...DeleteEntryDialog.preloadProps}
        onClick={onDelete}
      />
    </div>
  )
}

/** The number of columns depends on the width of the list. */
export const entryGridClass = 'grid gap-3 @lg:grid-cols-2 @lg:gap-4 @4xl:grid-cols-3'

const entryRowsClass = 'grid gap-2.5'
