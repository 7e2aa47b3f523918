import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { ExportDialog } from './dialogs.ts'

/** Opens the dialog that exports an entry. */
export function ExportEntryButton({ entry }: { entry: { _id: string; title: string } }) {
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
        <span className="max-sm:sr-only">Export</span>
      </Button>
      {isOpen && (
        <ExportDialog scope={{ entry: entry._id }} title={entry.title} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
