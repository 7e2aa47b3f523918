import { Search } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCommand, useCommandKeys } from '#web/commands/use-command.ts'
import { withCommand } from '#web/ui/controls/keys.ts'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

const CommandsDialog = dialogOnDemand(
  async () => (await import('#web/palette/commands-dialog.tsx')).CommandsDialog,
)

/** The field of the navigation bar that opens the palette, a button where the bar has no room for it; and the keys of all commands. */
export function Commands() {
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null)
  const navigate = useNavigate()

  useCommandKeys()
  useCommand('palette', () => setShown('palette'))
  useCommand('shortcuts', () => setShown('shortcuts'))
  useCommand('search', () => {
    const box = document.querySelector<HTMLInputElement>('input[aria-keyshortcuts="/"]')
    if (box) box.focus()
    else void navigate('/search')
  })

  return (
    <>
      <Tooltip text={`Search and commands (${withCommand('K')})`}>
        <button
          type="button"
          aria-keyshortcuts="Control+K Meta+K"
          // With large text in a narrow window, only the menu has room for it.
          className="hidden h-10 w-10 shrink-0 items-center justify-center gap-2 rounded-md text-sm text-muted @[17rem]:flex hover:bg-hover hover:text-ink pointer-coarse:size-11 @[58rem]:w-64 @[58rem]:border @[58rem]:border-edge/55 @[58rem]:px-2.5"
          {...CommandsDialog.preloadProps}
          onClick={() => setShown('palette')}
        >
          <Search className="size-5 shrink-0 @[58rem]:size-4" aria-hidden="true" />
          <span className="sr-only @[58rem]:not-sr-only @[58rem]:mr-auto">Search and commands</span>
          <kbd aria-hidden="true" className="hidden font-mono text-xs @[58rem]:inline">
            {withCommand('K')}
          </kbd>
        </button>
      </Tooltip>
      {shown && <CommandsDialog shows={shown} onClose={() => setShown(null)} />}
    </>
  )
}
