import { Share2, X } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { ShareDialog } from '#web/projects/dialogs.ts'
import { FinishedSummary } from '#web/projects/finished-summary.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'

type FinishedNoteProps = { project: Project; onShare: () => void }

/** Says that all milestones of a project are completed, and what it came to, until it is dismissed in this browser. */
export function FinishedNote({ project, onShare }: FinishedNoteProps) {
  const [isDismissed, setDismissed] = useState(() => wasDismissed(project._id))
  const { finished, milestoneCount } = project
  if (isDismissed || !finished) return null

  function dismiss() {
    rememberDismissal(project._id)
    setDismissed(true)
  }

  return (
    <section
      aria-label="Project finished"
      data-print="hidden"
      className="relative mb-4 animate-rise rounded-lg border border-success/35 bg-success-soft/60 px-4 py-3.5"
    >
      <FinishedSummary
        heading="h3"
        title="You reached the last milestone"
        finished={finished}
        milestoneCount={milestoneCount}
        titleClassName="pr-9"
      />
      <Button size="sm" icon={<Share2 />} className="mt-3" {...ShareDialog.near} onClick={onShare}>
        Share the story
      </Button>
      <IconButton
        label="Dismiss"
        icon={<X />}
        size="sm"
        className="absolute! top-2 right-2"
        onClick={dismiss}
      />
    </section>
  )
}

const storageKey = (projectId: string) => `finishedNoteDismissed/${projectId}`

function wasDismissed(projectId: string): boolean {
  try {
    return localStorage.getItem(storageKey(projectId)) !== null
  } catch {
    return false // the browser forbids storage
  }
}

function rememberDismissal(projectId: string) {
  try {
    localStorage.setItem(storageKey(projectId), '1')
  } catch {
    // It comes back with the next visit.
  }
}
