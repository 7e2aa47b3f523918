import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { loadMediaWidgets } from './attachments/surface/load-media-widgets.ts'
import { loadCodeMirror } from './text/codemirror.ts'

/**
 * Loads the editor with what draws the files of a text, which would move its lines if it came later. A failure is ignored: the
 * editor tries again, and reports it.
 */
const loadEditor = () => Promise.all([loadCodeMirror(), loadMediaWidgets().catch(() => undefined)])

/** The composer of one entry; its editor is fetched beside it. */
export const Composer = dialogOnDemand(async () => {
  const [{ ComposerDialog }] = await Promise.all([import('./shell/composer-dialog.tsx'), loadEditor()])
  return ComposerDialog
})

/** The composer that `compose` opens: it first finds the milestone, and asks about an unfinished draft. */
export const Write = dialogOnDemand(async () => {
  const [{ WriteDialog }] = await Promise.all([import('./shell/write-dialog.tsx'), loadEditor()])
  return WriteDialog
})
