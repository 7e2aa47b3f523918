import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { type EntryEditorProps, EntryForm } from './entry-form.tsx'
import { EntryNotFound } from './entry-not-found.tsx'
import { entryQuery } from './queries.ts'

/** The editor in its dialog. An existing entry is read afresh first, so that nobody starts from an old text. */
export function EditorDialog(props: EntryEditorProps) {
  const { milestoneId, entryId, onClose } = props
  const form = useRef<{ close: () => void }>(null)
  const { data, isFetchedAfterMount, error, refetch } = useQuery({
    ...entryQuery(milestoneId, entryId ?? ''),
    enabled: entryId !== undefined,
    staleTime: 0,
  })
  const isReady = entryId === undefined || (data !== undefined && isFetchedAfterMount)

  return (
    <Dialog
      open
      size="lg"
      title={entryId ? 'Edit Entry' : 'Add Entry'}
      onOpenChange={() => (form.current ? form.current.close() : onClose())}
    >
      {isReady ? (
        <EntryForm {...props} ref={form} original={entryId ? data : undefined} />
      ) : error ? (
        <EntryNotFound
          heading="h2"
          error={error}
          onRetry={() => void refetch()}
          wayBack={<Button onClick={onClose}>Close</Button>}
        />
      ) : (
        <Opening />
      )}
    </Dialog>
  )
}

function Opening() {
  return (
    <DialogBody>
      <output>
        <VisuallyHidden>Opening the entry</VisuallyHidden>
      </output>
      <Skeleton className="h-16" />
      <Skeleton className="h-[max(18rem,100dvh-27rem)]" />
      <Skeleton className="h-16" />
    </DialogBody>
  )
}
