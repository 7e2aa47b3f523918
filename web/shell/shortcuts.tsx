import { lazy, Suspense, useState } from 'react'
import { useKey } from '#web/ui/use-key.ts'

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'))

/** Opens the list of shortcuts at the `?` key, unless another dialog is open. Nobody else downloads it. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  useKey('?', () => setOpen(document.querySelector('[role$=dialog]') === null))
  if (!isOpen) return null
  return (
    <Suspense>
      <ShortcutsDialog onClose={() => setOpen(false)} />
    </Suspense>
  )
}
