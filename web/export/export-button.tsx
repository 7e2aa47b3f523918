import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { ExportDialog } from './dialogs.ts'

type ExportEntryButtonProps = {
  entry: { _id: string; title: string }
  /** Whether no other button is beside it: then it has its word on a phone, too. */
  isAlone?: boolean
}

/** Opens the dialog that exports an entry. */
export function ExportEntryButton({ entry, isAlone = false }: ExportEntryButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        icon={<Download />}
        {...ExportDialog.preloadProps}
        onClick={() => setOpen(true)}
      >
        <span className={isAlone ? undefined : 'max-sm:sr-only'}>Export</span>
      </Button>
      {isOpen && (
        <ExportDialog scope={{ entry: entry._id }} title={entry.title} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
