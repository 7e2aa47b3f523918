import { Eye, EyeOff } from 'lucide-react'
import type { Entry } from '#contract/entries.ts'
import { useEntryState } from '#web/entries/mutations.ts'
import { Button } from '#web/ui/controls/button.tsx'

/** Publishes the draft of its author, or makes their published entry a draft again. One that is scheduled is changed in the composer. */
export function PublishButton({ projectId, entry }: { projectId: string; entry: Entry }) {
  const { mutate, isPending } = useEntryState(projectId)
  if (!entry.isMine || entry.state === 'scheduled') return null
  const isDraft = entry.state === 'draft'
  return (
    <Button
      variant="quiet"
      size="sm"
      icon={isDraft ? <Eye /> : <EyeOff />}
      busy={isPending}
      onClick={() => mutate({ entry, state: isDraft ? 'published' : 'draft' })}
    >
      <span className="max-sm:sr-only">{isDraft ? 'Publish' : 'Unpublish'}</span>
    </Button>
  )
}
