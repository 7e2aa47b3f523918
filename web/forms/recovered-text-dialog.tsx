import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import type { RecoveredText, RecoveryReason } from './recovered-text.ts'

const explanations: { [reason in RecoveryReason]: string } = {
  gone: 'What you were writing in was deleted, or you are no longer a member of its project.',
  'not saved': 'You left its form before it was saved.',
}

type RecoveredTextDialogProps = { recovered: RecoveredText; onClose: () => void }

/** Shows the unsaved text of a form that was closed. */
export function RecoveredTextDialog({ recovered: { fields, reason }, onClose }: RecoveredTextDialogProps) {
  return (
    <Dialog
      open
      sticky
      onOpenChange={(stays) => !stays && onClose()}
      title="Your text is still here"
      description={`${explanations[reason]} Copy what you need before you close this.`}
    >
      <DialogBody>
        {fields.map(({ label, text }) => (
          <section key={label} aria-label={label} className="flex flex-col gap-2">
            <div className="flex items-center justify-between gap-3">
              <h3 className="text-sm font-semibold">{label}</h3>
              <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
            </div>
            <p
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keyboard
              tabIndex={0}
              className="max-h-60 overflow-y-auto rounded-md border border-line bg-surface p-3 whitespace-pre-wrap"
            >
              {text}
            </p>
          </section>
        ))}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  )
}
