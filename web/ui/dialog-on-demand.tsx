import { type ComponentType, useLayoutEffect, useRef } from 'react'
import { Fetched, loadFailed, onDemand } from './on-demand.tsx'
import { Spinner } from './spinner.tsx'
import { toast } from './toast.ts'
import { useHistoryLayer } from './use-history-layer.ts'

type Closable = { onClose: () => void }

/**
 * A dialog whose code is loaded on demand; its buttons spread `near` to preload it. It is open while it is rendered. If the
 * code cannot be loaded, a toast says so and the dialog closes; opening it again retries.
 */
export function dialogOnDemand<Props extends Closable>(load: () => Promise<ComponentType<Props>>) {
  const dialog = onDemand(load)

  function DialogOnDemand(props: Props) {
    function reportAndClose() {
      toast.error(loadFailed)
      props.onClose()
    }
    return (
      <Fetched
        of={dialog}
        with={props}
        fallback={<LoadingDialog onClose={props.onClose} />}
        onFailed={reportAndClose}
      />
    )
  }

  return Object.assign(DialogOnDemand, { near: dialog.near })
}

/** Shown while a dialog loads: it blocks the page behind it, and Escape or Back cancels. */
function LoadingDialog({ onClose }: Closable) {
  const dialog = useRef<HTMLDialogElement>(null)
  useHistoryLayer(true, () => {
    onClose()
    return true
  })

  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Closing restores the previous focus, from which the loaded dialog takes it.
    return () => current?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-label="Opening"
      onCancel={onClose}
      className="m-auto overflow-visible bg-transparent outline-none backdrop:bg-transparent"
    >
      <Spinner label="Opening…" className="rounded-md border border-line bg-raised px-4 py-2 shadow-lg" />
    </dialog>
  )
}

/** A ConfirmDialog that is loaded on demand. */
export const LazyConfirmDialog = dialogOnDemand(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
)
