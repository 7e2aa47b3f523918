import { CircleCheck, CloudAlert, CloudUpload, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { uploadsOf } from './page-uploads.ts'
import type { Activity } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'
import { useActivity, useKept } from './use-uploads.ts'

const DONE_SHOWN_MS = 4_000

/**
 * A line about the uploads of a person, above the page, and the reason for each refused file in a toast. The line is hidden under
 * an open composer, which shows each file.
 */
export function UploadStatus({ userId }: { userId: string }) {
  const [queue] = useState(() => uploadsOf(userId))
  const activity = useActivity(queue)
  const [dismissed, setDismissed] = useState<Activity>()
  const isRunning = activity.done + activity.refused < activity.total
  const isFinished = !isRunning && activity.total > 0

  useEffect(() => queue.whenRefused(toast.error), [queue])
  useEffect(() => queue.whenNoticed(toast.info), [queue])

  useEffect(() => {
    if (!isFinished) return undefined
    const timer = setTimeout(() => setDismissed(activity), DONE_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isFinished, activity])

  const text = isRunning ? running(activity) : isFinished && dismissed !== activity ? finished(activity) : ''
  const Icon = isRunning ? CloudUpload : CircleCheck
  return (
    <div
      data-print="hidden"
      className="pointer-events-none fixed z-50 justify-center p-4 [display:var(--uploads,flex)] max-sm:inset-x-0 max-sm:top-nav sm:bottom-0 sm:left-0"
    >
      {/* Always mounted, so that screen readers announce its changes; its numbers are not announced. */}
      <VisibleStatus text={text} icon={<Icon className="size-4 text-accent" aria-hidden="true" />} />
      <output className="sr-only">{isRunning ? 'Uploading files' : text}</output>
      {!isRunning && <KeptFiles queue={queue} />}
    </div>
  )
}

function VisibleStatus({ text, icon }: { text: string; icon: ReactNode }) {
  if (text === '') return null
  return (
    <p
      aria-hidden="true"
      className="flex animate-rise items-center gap-2 rounded-full border border-line bg-raised px-3.5 py-1.5 text-sm font-medium tabular-nums shadow-lg"
    >
      {icon}
      {text}
    </p>
  )
}

/** Says that files of saved texts are still only in this browser, and sends them on request. */
function KeptFiles({ queue }: { queue: UploadQueue }) {
  const kept = useKept(queue)
  const [hidden, setHidden] = useState(0)
  if (kept <= hidden) return null
  return (
    <div className="pointer-events-auto flex animate-rise items-center gap-2 rounded-lg border border-line bg-raised py-1 pr-1 pl-3.5 text-sm font-medium shadow-lg">
      <CloudAlert className="size-4 shrink-0 text-danger" aria-hidden="true" />
      <output>{kept === 1 ? 'One file is not uploaded' : `${kept} files are not uploaded`}</output>
      <Button size="sm" variant="quiet" onClick={queue.retryKept}>
        Try again
      </Button>
      <IconButton size="sm" label="Hide" icon={<X />} onClick={() => setHidden(kept)} />
    </div>
  )
}

const running = ({ done, refused, total }: Activity) =>
  total === 1 ? 'Uploading…' : `Uploading ${Math.min(done + refused + 1, total)} of ${total}…`

function finished({ done, refused }: Activity): string {
  if (done === 0) return ''
  const files = done === 1 ? 'One file' : `${done} files`
  return refused === 0 ? `${files} uploaded` : `${files} uploaded, ${refused} refused`
}
