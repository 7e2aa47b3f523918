import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { overlayClass, useFocusReturn } from './dialog.tsx'
import { useHistoryLayer } from './use-history-layer.ts'

type ConfirmDialogProps = {
  question: string
  /** The consequences, if the question does not name them. */
  detail?: ReactNode
  verb: string
  /** Whether the action destroys nothing. */
  harmless?: boolean
  busy?: boolean
  /** Whether it is too late to cancel. */
  uncancellable?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of an action with consequences; the buttons are the verb and Cancel. It is open while it is rendered. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { question, detail, verb, harmless, busy, uncancellable = false, onConfirm, onClose } = props
  const { remember, restore } = useFocusReturn()
  const confirm = useFirstPress(onConfirm)
  function close() {
    if (!uncancellable) onClose()
    return !uncancellable
  }
  useHistoryLayer(true, close)
  return (
    <AlertDialog.Root open onOpenChange={(stays) => !stays && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass}>
          <AlertDialog.Content
            data-sheet=""
            {...(detail ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={remember}
            onCloseAutoFocus={restore}
            className="w-full rounded-t-xl bg-raised p-5 shadow-lg outline-none max-sm:animate-sheet sm:mt-[9dvh] sm:max-w-md sm:animate-rise sm:rounded-xl sm:p-6"
          >
            <AlertDialog.Title className="text-lg font-semibold">{question}</AlertDialog.Title>
            {detail && (
              <AlertDialog.Description className="mt-2 text-sm text-muted">{detail}</AlertDialog.Description>
            )}
            <div className="mt-6 flex justify-end gap-2.5">
              <AlertDialog.Cancel asChild>
                <Button disabled={uncancellable}>Cancel</Button>
              </AlertDialog.Cancel>
              <Button variant={harmless ? 'primary' : 'danger'} busy={busy} onClick={() => confirm()}>
                {verb}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
