import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { loadCodeMirror } from './text/codemirror.ts'

/** The composer of one entry; its editor is fetched beside it. */
export const Composer = dialogOnDemand(async () => {
  const [{ ComposerDialog }] = await Promise.all([import('./shell/composer-dialog.tsx'), loadCodeMirror()])
  return ComposerDialog
})

/** The composer that `compose` opens: it first finds the milestone, and asks about an unfinished draft. */
export const Write = dialogOnDemand(async () => {
  const [{ WriteDialog }] = await Promise.all([import('./shell/write-dialog.tsx'), loadCodeMirror()])
  return WriteDialog
})
