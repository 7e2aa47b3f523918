import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type NavigateOptions, useNavigate } from 'react-router'
import type { Entry, Neighbour } from '#contract/entries.ts'
import { dayIn } from '#contract/parts/date-formats.ts'
import { composerPreloadProps } from '#web/commands/compose.ts'
import { useCommand } from '#web/commands/use-command.ts'
import { DeleteEntryDialog } from '#web/entries/dialogs.ts'
import { HistoryButton } from '#web/entries/history/history-button.tsx'
import { useDeleteEntry } from '#web/entries/mutations.ts'
import type { EntryWithHtml } from '#web/entries/overlay.ts'
import {
  editingQuery,
  entryPath,
  fromEntryPage,
  milestonePath,
  tagPath,
  takeEdited,
} from '#web/entries/paths.ts'
import { entryQuery } from '#web/entries/queries.ts'
import { ExportEntryButton } from '#web/export/export-button.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { ReactionLine } from '#web/reactions/reaction-line.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { SkeletonText } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Breadcrumb } from '#web/ui/layout/breadcrumb.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'
import { EntryImage, showsImage } from './entry-image.tsx'
import { EntryTags } from './entry-tags.tsx'
import { PublishButton } from './publish-button.tsx'
import { StoryNeighbors } from './story-neighbors.tsx'
import { useTickTask } from './tick-task.ts'

type EntryViewProps = {
  projectId: string
  projectTitle: string
  /** Undefined if the milestones could not be fetched. */
  milestoneTitle: string | undefined
  entry: EntryWithHtml
  canEdit: boolean
}

/** The page of an entry for reading. */
export function EntryView({ projectId, projectTitle, milestoneTitle, entry, canEdit }: EntryViewProps) {
  const milestoneLink = milestonePath(projectId, entry.milestone)
  return (
    <article>
      <div data-print="hidden">
        <Breadcrumb
          steps={[
            { label: projectTitle, to: `/projects/${projectId}` },
            { label: milestoneTitle ?? 'Entries', to: milestoneLink },
            { label: entry.title },
          ]}
        />
      </div>
      <header className="mb-8 border-b border-line pb-3">
        <h1 className="font-reading text-3xl font-medium tracking-tight">{entry.title}</h1>
        <EntryFacts entry={entry} milestoneTitle={milestoneTitle} />
        <div className="mt-3 empty:hidden">
          <EntryTags tags={entry.tags} pathOf={(tag) => tagPath(projectId, tag)} />
        </div>
        {canEdit ? (
          <EntryActions projectId={projectId} entry={entry} onDeletedGoTo={milestoneLink} />
        ) : (
          <div className={actionsClass} data-print="hidden">
            <ExportEntryButton entry={entry} isAlone />
          </div>
        )}
      </header>
      {!showsImage(entry.html ?? '', entry.imageURL) && <EntryImage entry={entry} />}
      {entry.html === undefined ? <ContentLoading /> : <Content entry={entry} canEdit={canEdit} />}
      {entry.state === 'published' && <ReactionLine milestoneId={entry.milestone} entryId={entry._id} />}
      <Neighbours projectId={projectId} entry={entry} canEdit={canEdit} />
    </article>
  )
}

/** Links to the neighbors of an entry, and shortcuts for these and for the composer. */
function Neighbours({ projectId, entry, canEdit }: Pick<EntryViewProps, 'projectId' | 'entry' | 'canEdit'>) {
  const { milestone, previous = null, next = null } = entry
  const navigate = useNavigate()
  const pathOf = (beside: Neighbour) =>
    entryPath(projectId, { _id: beside._id, milestone: beside.milestone?._id ?? milestone })
  const opening = (to: string | null, options?: NavigateOptions) =>
    to === null ? null : () => void navigate(to, options)

  useCommand('nextEntry', opening(next && pathOf(next)))
  useCommand('previousEntry', opening(previous && pathOf(previous)))
  useCommand('editEntry', opening(canEdit ? editPath(projectId, entry) : null, { state: fromEntryPage }))
  if (entry.previous === undefined || entry.next === undefined) return null // not fetched yet
  return (
    <StoryNeighbors
      previous={previous}
      next={next}
      pathOf={pathOf}
      milestonePathOf={(id) => milestonePath(projectId, id)}
    />
  )
}

const editPath = (projectId: string, entry: Entry) => `/projects/${projectId}${editingQuery(entry)}`

/** The text. People who may edit it can tick its tasks. */
function Content({ entry, canEdit }: { entry: EntryWithHtml; canEdit: boolean }) {
  const { shown, tick } = useTickTask(entry)
  const client = useQueryClient()
  const { queryKey } = entryQuery(entry.milestone, entry._id)
  const onExpired = () => client.invalidateQueries({ queryKey })
  return (
    <RenderedMarkdown
      name={entry._id}
      html={shown.html ?? ''}
      onTick={canEdit ? tick : undefined}
      onExpired={onExpired}
    />
  )
}

function ContentLoading() {
  return (
    <output>
      <VisuallyHidden>Loading the text</VisuallyHidden>
      <SkeletonText lines={10} />
    </output>
  )
}

type EntryActionsProps = { projectId: string; entry: Entry; onDeletedGoTo: string }

function EntryActions({ projectId, entry, onDeletedGoTo }: EntryActionsProps) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useDeleteEntry(projectId)
  const edit = useRef<HTMLAnchorElement>(null)
  /** Set immediately, unlike `isPending`: a second click may arrive before the button is busy. */
  const isDeleting = useRef(false)

  useEffect(() => {
    if (takeEdited(entry._id)) edit.current?.focus({ preventScroll: true })
  }, [entry._id])

  function remove(deleted: Entry) {
    if (isDeleting.current) return
    isDeleting.current = true
    mutate(deleted, {
      onSuccess: () => void navigate(onDeletedGoTo, { replace: true }),
      onError: () => setAsking(false),
      onSettled: () => {
        isDeleting.current = false
      },
    })
  }

  return (
    <div className={actionsClass} data-print="hidden">
      <LinkButton
        ref={edit}
        data-focus-returns
        to={editPath(projectId, entry)}
        state={fromEntryPage}
        icon={<Pencil />}
        size="sm"
        variant="quiet"
        {...composerPreloadProps}
      >
        Edit
      </LinkButton>
      <HistoryButton entry={entry} variant="quiet" />
      <ExportEntryButton entry={entry} />
      <PublishButton projectId={projectId} entry={entry} />
      <Button
        variant="quiet"
        icon={<Trash2 />}
        size="sm"
        {...DeleteEntryDialog.preloadProps}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      {isAsking && (
        <DeleteEntryDialog
          entry={entry}
          busy={isPending}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** One row, also on a phone; with large text they wrap. */
const actionsClass = '-mx-3 mt-2.5 flex flex-wrap'

/**
 * The state, author and dates of an entry on one line. What needs no label has one for screen readers only; so has the milestone, which is shown in the
 * breadcrumb.
 */
function EntryFacts({ entry, milestoneTitle }: Pick<EntryViewProps, 'entry' | 'milestoneTitle'>) {
  const { author, happenedOn, happenedZone, state, createdAt, updatedAt } = entry
  return (
    <dl className="facts mt-3 items-center gap-y-1 text-sm text-muted">
      {milestoneTitle !== undefined && (
        <div className="sr-only">
          <dt>Milestone</dt>
          <dd>{milestoneTitle}</dd>
        </div>
      )}
      {state !== 'published' && (
        <Fact name="State" isSilent>
          <Badge className="whitespace-normal">
            {state === 'scheduled' && entry.publishAt !== undefined ? (
              <>
                Scheduled for <Time iso={entry.publishAt} format="datetime" />
              </>
            ) : (
              'Draft'
            )}
          </Badge>
        </Fact>
      )}
      {author && (
        <Fact name="Author" isSilent>
          <span className="flex min-w-0 items-center gap-1.5">
            <Avatar {...author} /> <bdi className="min-w-0 text-ink">{author.name}</bdi>
          </span>
        </Fact>
      )}
      {/* On the day of its creation, one date is enough to look at. */}
      <Fact name="Date" isSilent isHidden={happenedOn === dayIn(happenedZone, new Date(createdAt))}>
        <Day on={happenedOn} zone={happenedZone} className="text-ink" />
      </Fact>
      <Fact name="Created">
        <Time iso={createdAt} format="datetime" />
      </Fact>
      {updatedAt !== createdAt && (
        <Fact name="Updated">
          <Time iso={updatedAt} format="datetime" />
        </Fact>
      )}
    </dl>
  )
}

type FactProps = {
  name: string
  /** Whether its name is only for screen readers. */
  isSilent?: true
  /** Whether all of it is. */
  isHidden?: boolean
  children: ReactNode
}

/** A fact among others. */
function Fact({ name, isSilent, isHidden, children }: FactProps) {
  return (
    <div className={isHidden ? 'sr-only' : 'flex gap-1'}>
      <dt className={clsx(isSilent && 'sr-only')}>{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
