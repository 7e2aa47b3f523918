import { onDemand } from '#web/ui/dialogs/on-demand.tsx'

/** CodeMirror, a separate chunk that is loaded with the editor's dialog; without it the editor has a plain text area. */
export const codeMirror = onDemand(
  async () => (await import('./codemirror/code-mirror-input.tsx')).CodeMirrorInput,
)

/** Loads CodeMirror; a failure is ignored. */
export async function loadCodeMirror(): Promise<void> {
  await codeMirror.fetch().catch(() => undefined)
}
