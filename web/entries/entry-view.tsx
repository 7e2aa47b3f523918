import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Entry } from '#contract/entries.ts'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { Breadcrumb } from '#web/ui/breadcrumb.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { DeleteEntryDialog, EntryEditor } from './dialogs.ts'
import { EntryFacts } from './entry-facts.tsx'
import { EntryImage } from './entry-image.tsx'
import { useDeleteEntry } from './mutations.ts'
import { editingQuery, fromEntryPage, milestonePath } from './paths.ts'
import type { EntryToRead } from './queries.ts'

type EntryViewProps = {
  projectId: string
  projectTitle: string
  milestoneTitle: string
  entry: EntryToRead
  canEdit: boolean
}

/** An entry as a page to read. */
export function EntryView({ projectId, projectTitle, milestoneTitle, entry, canEdit }: EntryViewProps) {
  const milestoneLink = milestonePath(projectId, entry.milestone)
  return (
    <article>
      <div data-print="hidden">
        <Breadcrumb
          steps={[
            { label: projectTitle, to: `/projects/${projectId}` },
            { label: milestoneTitle, to: milestoneLink },
            { label: entry.title },
          ]}
        />
      </div>
      <header className="mb-8 border-b border-line pb-6">
        <h1 className="font-reading text-3xl font-medium tracking-tight">{entry.title}</h1>
        <EntryFacts entry={entry} milestoneTitle={milestoneTitle} />
        {canEdit && <EntryActions projectId={projectId} entry={entry} onDeletedGoTo={milestoneLink} />}
      </header>
      <EntryImage entry={entry} />
      {entry.html === undefined ? <TextComing /> : <RenderedMarkdown name={entry._id} html={entry.html} />}
    </article>
  )
}

function TextComing() {
  return (
    <output>
      <VisuallyHidden>Loading the text</VisuallyHidden>
      <Skeleton className="h-72" />
    </output>
  )
}

type EntryActionsProps = { projectId: string; entry: Entry; onDeletedGoTo: string }

function EntryActions({ projectId, entry, onDeletedGoTo }: EntryActionsProps) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useDeleteEntry({ projectId, milestoneId: entry.milestone })

  function remove({ _id }: Entry) {
    mutate(_id, {
      onSuccess: () => void navigate(onDeletedGoTo, { replace: true }),
      onError: () => setAsking(false),
    })
  }

  return (
    <div className="mt-5 flex gap-2.5" data-print="hidden">
      <LinkButton
        to={`/projects/${projectId}${editingQuery(entry)}`}
        state={fromEntryPage}
        icon={<Pencil />}
        size="sm"
        {...EntryEditor.near}
      >
        Edit
      </LinkButton>
      <Button
        variant="quiet"
        icon={<Trash2 />}
        size="sm"
        {...DeleteEntryDialog.near}
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
