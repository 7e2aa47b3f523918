import { type QueryClient, useQuery } from '@tanstack/react-query'
import { PenLine } from 'lucide-react'
import { isTransient } from '#web/api/query-client.ts'
import type { Composition } from '#web/entries/compose.ts'
import { useSession } from '#web/identity/session.tsx'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { permissionsQuery, writableProjectsQuery } from '#web/projects/queries.ts'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { CloseLayer, PageLayer } from '#web/ui/dialogs/page-layer.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { lastMilestone, type MilestoneRef } from './composer-settings.ts'
import { EditorDialog } from './editor-dialog.tsx'
import { readDraftOrigin, readNewEntryDraft } from './entry-draft.ts'

type WriteDialogProps = { composition: Composition; onClose: () => void }

/** The composer, opened from anywhere: for the given composition, or a new entry in the person's usual milestone. */
export function WriteDialog({ composition, onClose }: WriteDialogProps) {
  const { user } = useSession()
  const hasMilestone = composition !== null && 'milestoneId' in composition
  const {
    data: defaultMilestone,
    isFetching,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['default milestone', user?._id],
    queryFn: ({ client }) => findMilestone(client, user?._id),
    enabled: !hasMilestone,
    // Its data is refetched after a failure.
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const milestone = hasMilestone ? composition : defaultMilestone && { ...defaultMilestone, ...composition }
  if (milestone) return <EditorDialog {...milestone} onClose={() => onClose()} />
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
        {!isFetching && !isError && (
          <EmptyState
            title="Nothing to write in yet"
            action={
              <LinkButton to="/dashboard" variant="primary" icon={<PenLine />} onClick={onClose}>
                Go to the dashboard
              </LinkButton>
            }
          >
            {composition === null
              ? 'Entries belong to a milestone of a project. Create a project and its first milestone, then write.'
              : 'What this draft was written for was deleted, or is no longer shared with you. Create a project and its first milestone, then continue.'}
          </EmptyState>
        )}
      </div>
    </PageLayer>
  )

  function closeAndConfirm() {
    onClose()
    return true
  }
}

/** Returns the milestone of a draft, else that of the person's last entry, else the newest milestone of the newest project. */
async function findMilestone(
  client: QueryClient,
  personId: string | undefined,
): Promise<MilestoneRef | null> {
  const candidates: (MilestoneRef | null)[] = [milestoneOfDraft(personId), lastMilestone(personId)]
  for (const milestone of candidates) {
    if (milestone && (await isWritable(client, milestone))) return milestone
  }
  for (const { _id: projectId } of await client.fetchQuery(writableProjectsQuery)) {
    const milestones = await client.fetchQuery(milestonesQuery(projectId))
    const newest = milestones.findLast(({ completed }) => !completed) ?? milestones.at(-1)
    if (newest) return { projectId, milestoneId: newest._id }
  }
  return null
}

function milestoneOfDraft(personId: string | undefined): MilestoneRef | null {
  const origin = readNewEntryDraft(personId) && readDraftOrigin()
  return origin?.projectId ? { projectId: origin.projectId, milestoneId: origin.milestoneId } : null
}

/** Whether a milestone still exists and this person may edit it. Throws if the request fails. */
async function isWritable(client: QueryClient, { projectId, milestoneId }: MilestoneRef): Promise<boolean> {
  try {
    const [{ canEdit }, milestones] = await Promise.all([
      client.fetchQuery(permissionsQuery(projectId)),
      client.fetchQuery(milestonesQuery(projectId)),
    ])
    return canEdit && milestones.some(({ _id }) => _id === milestoneId)
  } catch (error) {
    if (isTransient(error)) throw error
    return false // the project was deleted or is no longer visible
  }
}
