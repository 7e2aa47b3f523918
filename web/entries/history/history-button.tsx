import { clsx } from 'clsx'
import { History } from 'lucide-react'
import { useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { EntryHistory } from '#web/entries/dialogs.ts'
import { Button } from '#web/ui/controls/button.tsx'

type HistoryButtonProps = {
  entry: Pick<Entry, '_id' | 'milestone' | 'title'>
  variant: 'quiet' | 'secondary'
  /** Called after an earlier version was restored and the history closed. */
  onRestored?: () => void
}

/** Opens the history of an entry, which is loaded on demand. */
export function HistoryButton({ entry, variant, onRestored }: HistoryButtonProps) {
  const [isOpen, setOpen] = useState(false)

  function restored() {
    setOpen(false)
    onRestored?.()
  }

  return (
    <>
      <Button
        variant={variant}
        size="sm"
        icon={<History />}
        {...EntryHistory.preloadProps}
        onClick={() => setOpen(true)}
      >
        <span className={clsx(variant === 'quiet' && 'max-sm:sr-only')}>History</span>
      </Button>
      {isOpen && <EntryHistory entry={entry} onClose={() => setOpen(false)} onRestored={restored} />}
    </>
  )
}
