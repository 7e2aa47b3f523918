import type { QueryClient } from '@tanstack/react-query'
import type { ChangingCallName } from '#contract/calls.ts'
import { serverMessage } from '#web/api/api-error.ts'
import { discardListed } from '#web/saving/discard-listed.ts'
import { forgetSaved } from '#web/saving/drafts.ts'
import type { ResumedChange } from '#web/saving/outbox.ts'
import { outbox } from '#web/saving/page-outbox.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { recoverText } from './recovered-text.ts'

type Texts = { done: string; failed: string }

/** What is said of a change that an earlier page has made. */
const texts: { readonly [name in ChangingCallName]?: Texts } = {
  createProject: { done: 'Project created successfully', failed: 'Failed to create project' },
  updateProject: { done: 'Project updated successfully', failed: 'Failed to update project' },
  deleteProject: { done: 'Project deleted successfully', failed: 'Failed to delete project' },
  createMilestone: { done: 'Milestone created successfully', failed: 'Failed to create milestone' },
  updateMilestone: { done: 'Milestone updated successfully', failed: 'Failed to update milestone' },
  moveMilestone: { done: 'Milestone updated successfully', failed: 'Failed to move milestone' },
  deleteMilestone: { done: 'Milestone deleted successfully', failed: 'Failed to delete milestone' },
  createEntry: { done: 'Entry created successfully', failed: 'Failed to create entry' },
  updateEntry: { done: 'Entry updated successfully', failed: 'Failed to update entry' },
  deleteEntry: { done: 'Entry deleted successfully', failed: 'Failed to delete entry' },
  updateCollaborator: { done: 'Collaborator role updated', failed: 'Failed to update role' },
  removeCollaborator: { done: 'Collaborator removed', failed: 'Failed to remove collaborator' },
  restoreDeletion: { done: 'Restored', failed: 'Failed to restore' },
  discardDraft: { done: 'Draft discarded', failed: 'The draft could not be discarded.' },
}

const other: Texts = {
  done: 'A change that was waiting is saved',
  failed: 'A change that was waiting failed',
}

/** Sends the changes that earlier pages of a person have stored, and says what became of them, until `signal` aborts. */
export function resumeChanges(client: QueryClient, personId: string, signal: AbortSignal): void {
  if (signal.aborted) return
  const wake = () => outbox.wake()
  const wakeIfVisible = () => document.visibilityState === 'visible' && wake()
  addEventListener('online', wake, { signal })
  document.addEventListener('visibilitychange', wakeIfVisible, { signal })
  outbox.onResumed = (outcome) => {
    if (!signal.aborted) report(client, personId, outcome)
  }
  signal.addEventListener('abort', sayWhileWaiting(), { once: true })
  void outbox.open(personId)
  discardListed(personId)
}

function report(client: QueryClient, personId: string, { record, error }: ResumedChange) {
  const { call, thing, body } = record
  const { done, failed } = texts[call] ?? other
  void client.invalidateQueries()
  if (error === undefined) {
    if (record.isOfForm && body) forgetSaved(personId, thing, body)
    toast.success(done)
    return
  }
  toast.error(serverMessage(error) ?? failed)
  if (record.isOfForm && body) recoverText(personId, body, 'not saved')
}

/** While a change waits for the connection, a message says so. Returns the function that ends that. */
function sayWhileWaiting(): () => void {
  let hide: (() => void) | undefined
  function update() {
    const isWaiting = outbox.pending.read().some(({ state }) => state === 'waiting')
    if (isWaiting) hide ??= toast.lasting('Not saved yet: waiting for the connection…')
    else {
      hide?.()
      hide = undefined
    }
  }
  const stop = outbox.pending.subscribe(update)
  update()
  return () => {
    stop()
    hide?.()
  }
}
