import { useQuery } from '@tanstack/react-query'
import { PenLine, Plus } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Composition } from '#web/commands/compose.ts'
import { useSession } from '#web/identity/session.tsx'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import { CreateProjectDialog } from '#web/projects/dialogs.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { CloseLayer, PageLayer } from '#web/ui/dialogs/page-layer.tsx'
import { holdTyping } from '#web/ui/dialogs/typed-ahead.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { ComposerDialog } from './composer-dialog.tsx'
import { findMilestone, type Unwritable } from './default-milestone.ts'
import { screenProject } from './screen-project.ts'

type WriteDialogProps = { composition: Composition; onClose: () => void }

/**
 * The composer, opened from anywhere: for the given composition, or a new entry in the project on the screen, from other screens in
 * the person's usual milestone.
 */
export function WriteDialog({ composition, onClose }: WriteDialogProps) {
  const { user } = useSession()
  const { pathname, search } = useLocation()
  const hasMilestone = composition !== null && 'milestoneId' in composition
  const [screen] = useState(() => screenProject(pathname, search))
  const [isElsewhere, setElsewhere] = useState(false)
  const [isCreating, setCreating] = useState(false)
  const { data, isFetching, isError, refetch } = useQuery({
    queryKey: ['default milestone', user?._id, screen, isElsewhere],
    queryFn: ({ client }) => findMilestone(client, user?._id, isElsewhere ? null : screen),
    enabled: !hasMilestone,
    // Its data is refetched after a failure, and never under a text that is being written.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useLayoutEffect(() => (isFetching ? holdTyping() : undefined), [isFetching])
  const milestone = hasMilestone ? composition : data && 'milestoneId' in data && { ...data, ...composition }
  if (milestone) return <ComposerDialog {...milestone} onClose={() => onClose()} />
  return (
    <PageLayer title="Add Entry" close={closeAndConfirm}>
      <header className="flex h-14 shrink-0 items-center px-1.5 sm:px-4">
        <CloseLayer />
      </header>
      <div className="grid flex-1 place-items-center px-5 pb-14">
        {isFetching && <Spinner label="Opening…" />}
        {!isFetching && isError && (
          <EmptyState
            drawing="broken"
            title="Your projects could not be fetched"
            action={<TryAgain onClick={() => void refetch()} />}
          >
            They are safe on the server; only the way there failed.
          </EmptyState>
        )}
        {!isFetching && data && 'reason' in data && (
          <NotHere {...data} onElsewhere={() => setElsewhere(true)} onMilestone={() => void refetch()} />
        )}
        {!isFetching && !isError && data === null && (
          <EmptyState
            title="Nothing to write in yet"
            action={
              <Button
                variant="primary"
                icon={<Plus />}
                {...CreateProjectDialog.preloadProps}
                onClick={() => setCreating(true)}
              >
                New Project
              </Button>
            }
          >
            {composition === null
              ? 'Entries belong to a milestone of a project. Create a project and its first milestone, then write.'
              : 'What this draft was written for was deleted, or is no longer shared with you. Create a project and its first milestone, then continue.'}
          </EmptyState>
        )}
      </div>
      {isCreating && <CreateProjectDialog onClose={closeCreation} />}
    </PageLayer>
  )

  function closeCreation() {
    setCreating(false)
    void refetch()
  }

  function closeAndConfirm() {
    onClose()
    return true
  }
}

type NotHereProps = Unwritable & { onElsewhere: () => void; onMilestone: () => void }

/** Says why nothing can be written in the project on the screen, instead of writing in another one. */
function NotHere({ projectId, reason, onElsewhere, onMilestone }: NotHereProps) {
  const [isAdding, setAdding] = useState(false)
  if (reason === 'viewer')
    return (
      <EmptyState
        title="You can read this project, but not write in it"
        action={
          <Button variant="primary" icon={<PenLine />} onClick={onElsewhere}>
            Write in another project
          </Button>
        }
      >
        Its owner can make you an editor.
      </EmptyState>
    )
  return (
    <>
      <EmptyState
        title="This project has no milestones yet"
        action={
          <Button
            variant="primary"
            icon={<Plus />}
            {...AddMilestoneDialog.preloadProps}
            onClick={() => setAdding(true)}
          >
            Add Milestone
          </Button>
        }
      >
        Entries belong to a milestone. Add the first one, then write.
      </EmptyState>
      {isAdding && (
        <AddMilestoneDialog projectId={projectId} onCreated={onMilestone} onClose={() => setAdding(false)} />
      )}
    </>
  )
}
