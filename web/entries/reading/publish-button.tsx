import { Eye, EyeOff } from 'lucide-react'
import type { Entry } from '#contract/entries.ts'
import { useEntryState } from '#web/entries/mutations.ts'
import { Button } from '#web/ui/controls/button.tsx'

/** Publishes the author's unpublished entry, or unpublishes a published one. One that is scheduled is changed in the composer. */
export function PublishButton({ projectId, entry }: { projectId: string; entry: Entry }) {
  const { mutate, isPending } = useEntryState(projectId)
  if (!entry.isMine || entry.state === 'scheduled') return null
  const isUnpublished = entry.state === 'draft'
  return (
    <Button
      variant="quiet"
      size="sm"
      icon={isUnpublished ? <Eye /> : <EyeOff />}
      busy={isPending}
      onClick={() => mutate({ entry, state: isUnpublished ? 'published' : 'draft' })}
    >
      <span className="max-sm:sr-only">{isUnpublished ? 'Publish' : 'Unpublish'}</span>
    </Button>
  )
}
