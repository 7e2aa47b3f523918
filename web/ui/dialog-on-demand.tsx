import { type ComponentType, useLayoutEffect, useRef } from 'react'
import { Fetched, notFetched, onDemand } from './on-demand.tsx'
import { Spinner } from './spinner.tsx'
import { toast } from './toast.ts'
import { useHistoryLayer } from './use-history-layer.ts'

type Closable = { onClose: () => void }

/**
 * A dialog whose code is fetched when somebody is about to open it; `near` is for the buttons that do. It is open while
 * it is rendered. Where it cannot be fetched, it says so and closes; to open it again is to try again.
 */
export function dialogOnDemand<Props extends Closable>(load: () => Promise<ComponentType<Props>>) {
  const dialog = onDemand(load)

  function DialogOnDemand(props: Props) {
    function giveUp() {
      toast.error(notFetched)
      props.onClose()
    }
    return (
      <Fetched of={dialog} with={props} coming={<ComingDialog onClose={props.onClose} />} onFailed={giveUp} />
    )
  }

  return Object.assign(DialogOnDemand, { near: dialog.near })
}

/** In place of a dialog that is on its way: what lies behind cannot be pressed meanwhile, and Escape or Back gives up. */
function ComingDialog({ onClose }: Closable) {
  const dialog = useRef<HTMLDialogElement>(null)
  useHistoryLayer(true, () => {
    onClose()
    return true
  })

  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    // The focus goes back to where it was, from where the dialog itself takes it.
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

/** A ConfirmDialog that is fetched when somebody is about to be asked. */
export const Question = dialogOnDemand(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
