import { useState } from 'react'
import { dialogOnDemand } from '#web/ui/dialog-on-demand.tsx'
import { useKey } from '#web/ui/use-key.ts'

const ShortcutsDialog = dialogOnDemand(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** Opens the list of shortcuts at the `?` key, unless another dialog is open. Nobody else downloads it. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  useKey('?', () => setOpen(document.querySelector('[role$=dialog], dialog') === null))
  return isOpen && <ShortcutsDialog onClose={() => setOpen(false)} />
}
