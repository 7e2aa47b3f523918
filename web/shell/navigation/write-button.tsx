import { PenLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Composition, onCompose } from '#web/entries/compose.ts'
import { Write } from '#web/entries/dialogs.ts'
import { isDialogOpen, useKey } from '#web/ui/controls/keys.ts'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'

/** Opens the composer from anywhere, as the key `c` does, and shows it for whoever else asks for it. */
export function WriteButton() {
  const [shown, setShown] = useState<{ composition: Composition } | null>(null)

  useEffect(() => onCompose((composition) => setShown({ composition })), [])
  useKey('c', () => {
    if (!isDialogOpen()) setShown({ composition: null })
  })

  return (
    <>
      <Tooltip text="Write (c)">
        <button
          type="button"
          aria-keyshortcuts="c"
          className="inline-flex h-10 items-center gap-2 rounded-md px-2.5 text-sm font-semibold text-accent hover:bg-hover hover:text-accent-strong pointer-coarse:h-11 [&_svg]:size-4.5"
          {...Write.near}
          onClick={() => setShown({ composition: null })}
        >
          <PenLine aria-hidden="true" />
          Write
        </button>
      </Tooltip>
      {shown && <Write composition={shown.composition} onClose={() => setShown(null)} />}
    </>
  )
}
