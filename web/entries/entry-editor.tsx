import { lazy, Suspense } from 'react'
import { Spinner } from '#web/ui/spinner.tsx'

export type EntryEditorProps = {
  projectId: string
  milestoneId: string
  /** The entry to change; a new one is written where it is absent. */
  entryId?: string | undefined
  onClose: () => void
}

const load = () => import('./editor-dialog.tsx')
const EditorDialog = lazy(load)

/** Fetches the editor ahead, when somebody is about to open it; if that fails, opening it tries again. */
export function preloadEntryEditor(): void {
  load().catch(() => undefined)
}

/** Where entries are written. It is open while it is rendered; nobody else downloads it. */
export function EntryEditor(props: EntryEditorProps) {
  return (
    <Suspense
      fallback={
        <div className="pointer-events-none fixed inset-0 z-40 grid place-items-center">
          <Spinner label="Opening the editor" className="rounded-md bg-raised px-4 py-2 shadow-lg" />
        </div>
      }
    >
      <EditorDialog {...props} />
    </Suspense>
  )
}
