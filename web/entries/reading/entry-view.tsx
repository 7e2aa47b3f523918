import { useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type NavigateOptions, useNavigate } from 'react-router'
import type { Entry } from '#contract/entries.ts'
import { useCommand } from '#web/commands/use-command.ts'
import { DeleteEntryDialog, EntryEditor } from '#web/entries/dialogs.ts'
import { HistoryButton } from '#web/entries/history/history-button.tsx'
import { useDeleteEntry } from '#web/entries/mutations.ts'
import {
  editingQuery,
  entryPath,
  fromEntryPage,
  milestonePath,
  tagPath,
  takeEdited,
} from '#web/entries/paths.ts'
import type { EntryWithHtml } from '#web/entries/overlay.ts'
import { entryQuery } from '#web/entries/queries.ts'
import { ExportEntryButton } from '#web/export/export-button.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { SkeletonText } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Breadcrumb } from '#web/ui/layout/breadcrumb.tsx'
import { Day, Time } from '#web/ui/layout/time.tsx'
import { EntryImage, showsImage } from './entry-image.tsx'
import { EntryNeighbors } from './entry-neighbors.tsx'
import { EntryTags } from './entry-tags.tsx'
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
      <header className="mb-8 border-b border-line pb-6">
        <h1 className="font-reading text-3xl font-medium tracking-tight">{entry.title}</h1>
        <EntryFacts projectId={projectId} entry={entry} milestoneTitle={milestoneTitle} />
        {canEdit ? (
          <EntryActions projectId={projectId} entry={entry} onDeletedGoTo={milestoneLink} />
        ) : (
          <div className="-ml-2.5 mt-5 flex" data-print="hidden">
            <ExportEntryButton entry={entry} />
          </div>
        )}
      </header>
      {!showsImage(entry.html ?? '', entry.imageURL) && <EntryImage entry={entry} />}
      {entry.html === undefined ? <ContentLoading /> : <Content entry={entry} canEdit={canEdit} />}
      <Neighbours projectId={projectId} entry={entry} canEdit={canEdit} />
    </article>
  )
}

/** Links to the neighbors of an entry, and shortcuts for these and for the editor. */
function Neighbours({ projectId, entry, canEdit }: Pick<EntryViewProps, 'projectId' | 'entry' | 'canEdit'>) {
  const { milestone, previous = null, next = null } = entry
  const navigate = useNavigate()
  const pathOf = ({ _id }: { _id: string }) => entryPath(projectId, { _id, milestone })
  const opening = (to: string | null, options?: NavigateOptions) =>
    to === null ? null : () => void navigate(to, options)

  useCommand('nextEntry', opening(next && pathOf(next)))
  useCommand('previousEntry', opening(previous && pathOf(previous)))
  useCommand('editEntry', opening(canEdit ? editPath(projectId, entry) : null, { state: fromEntryPage }))
  return <EntryNeighbors previous={previous} next={next} pathOf={pathOf} />
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
    <div className="mt-5 flex flex-wrap gap-2.5" data-print="hidden">
      <LinkButton
        ref={edit}
        data-focus-returns
        to={editPath(projectId, entry)}
        state={fromEntryPage}
        icon={<Pencil />}
        size="sm"
        {...EntryEditor.preloadProps}
      >
        Edit
      </LinkButton>
      <HistoryButton entry={entry} variant="quiet" />
      <ExportEntryButton entry={entry} />
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

/** The state, milestone, author, dates and tags of an entry. */
function EntryFacts({ projectId, entry, milestoneTitle }: Omit<EntryViewProps, 'projectTitle' | 'canEdit'>) {
  const { author, happenedOn, happenedZone, state, createdAt, updatedAt, tags } = entry
  return (
    <div className="mt-4 flex flex-col gap-3">
      {state === 'draft' && <Badge className="w-fit">Draft</Badge>}
      {state === 'scheduled' && entry.publishAt !== undefined && (
        <Badge className="w-fit">
          Scheduled for <Time iso={entry.publishAt} format="datetime" />
        </Badge>
      )}
      <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        <dl className={factsClass}>
          {milestoneTitle !== undefined && (
            <Fact name="Milestone">
              <bdi>{milestoneTitle}</bdi>
            </Fact>
          )}
          {author && (
            <Fact name="Author">
              <Avatar {...author} /> <bdi>{author.name}</bdi>
            </Fact>
          )}
        </dl>
        <dl className={factsClass}>
          <Fact name="Date">
            <Day on={happenedOn} zone={happenedZone} />
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
      </div>
      <EntryTags tags={tags} pathOf={(tag) => tagPath(projectId, tag)} />
    </div>
  )
}

/** On narrow screens, the dates wrap to the next row together. */
const factsClass = 'flex flex-wrap gap-x-6 gap-y-1 max-sm:contents'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt>{name}</dt>
      <dd className="min-w-0 text-ink">{children}</dd>
    </div>
  )
}
