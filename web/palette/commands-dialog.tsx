import { Palette } from './palette.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

type CommandsDialogProps = { shows: 'palette' | 'shortcuts'; onClose: () => void }

/** The palette, or the list of the keys; one file, so that the first screen loads neither. */
export function CommandsDialog({ shows, onClose }: CommandsDialogProps) {
  return shows === 'palette' ? <Palette onClose={onClose} /> : <ShortcutsDialog onClose={onClose} />
}
