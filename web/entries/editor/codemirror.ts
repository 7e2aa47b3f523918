import { onDemand } from '#web/ui/dialogs/on-demand.tsx'

/** CodeMirror, which is loaded with the editor's dialog but by itself: without it the editor has a plain text area. */
export const codeMirror = onDemand(
  async () => (await import('./codemirror/code-mirror-input.tsx')).CodeMirrorInput,
)

/** Loads CodeMirror, if it can be loaded and this person writes in it. */
export async function loadCodeMirror(): Promise<void> {
  await codeMirror.fetch().catch(() => undefined)
}
