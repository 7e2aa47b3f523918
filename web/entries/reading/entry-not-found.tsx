import type { ReactNode } from 'react'
import { isTransient } from '#web/api/query-client.ts'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'

type EntryNotFoundProps = {
  heading: 'h1' | 'h2'
  error: Error | null
  onRetry: () => void
  wayBack: ReactNode
}

/** Shown instead of an entry that could not be fetched. */
export function EntryNotFound({ heading, error, onRetry, wayBack }: EntryNotFoundProps) {
  const mayPass = isTransient(error)
  return (
    <EmptyState
      drawing={mayPass ? 'broken' : 'signpost'}
      heading={heading}
      title="Entry not found"
      action={
        <span className="flex flex-wrap justify-center gap-2.5">
          {mayPass && <TryAgain onClick={onRetry} />}
          {wayBack}
        </span>
      }
    >
      {mayPass ? error?.message : 'It may have been deleted, or it is not shared with you.'}
    </EmptyState>
  )
}
