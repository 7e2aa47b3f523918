import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ConflictBanner, RestoredBanner } from './banners.tsx'
import { LeaveDialog } from './leave-guard.tsx'
import type { SavingForm } from './use-saving-form.ts'

const INCOMPLETE_DATE = 'Complete the date, or clear it'

type FormDialogProps<In extends FieldValues, Out extends FieldValues> = {
  title: string
  verb: string
  saving: SavingForm<In, Out>
  /** The labels of the fields for the conflict banner, which omits fields without a label. */
  labels: { [field in keyof In]?: string }
  children: ReactNode
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/** Returns the first date of which only a part was typed, or that no calendar has: its value is empty, as if there were none. */
function findIncompleteDate(form: HTMLFormElement): HTMLInputElement | undefined {
  return [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
}

/** A form in a dialog, with its errors, conflicts, restored draft and buttons. */
export function FormDialog<In extends FieldValues, Out extends FieldValues>({
  title,
  verb,
  saving,
  labels,
  children,
}: FormDialogProps<In, Out>) {
  const { form, submit, open, saveError, theirs, guard, isRestored, discardDraft } = saving

  function send(event: FormEvent<HTMLFormElement>) {
    // In React, it would bubble to a form around this dialog.
    event.stopPropagation()
    const incomplete = findIncompleteDate(event.currentTarget)
    if (incomplete) {
      event.preventDefault()
      form.setError(incomplete.name as Path<In>, { message: INCOMPLETE_DATE }, { shouldFocus: true })
    } else void submit(event)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(stays) => !stays && guard.close()}
      onBack={guard.close}
      title={title}
      sticky={form.formState.isDirty || isRestored}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the events come from its fields */}
      <form noValidate onSubmit={send} onKeyDown={submitOnCtrlEnter} className="flex flex-1 flex-col">
        <DialogBody>
          <RestoredBanner isRestored={isRestored && !saveError} onDiscard={discardDraft} />
          {theirs && <ConflictBanner saving={saving} labels={labels} />}
          {saveError && (
            <Banner>
              <p>{saveError.message}</p>
              <p>What you typed is still here.</p>
            </Banner>
          )}
          {children}
        </DialogBody>
        <DialogFooter>
          <Button onClick={guard.close}>Cancel</Button>
          <Button type="submit" variant="primary" aria-keyshortcuts="Control+Enter Meta+Enter">
            {verb}
          </Button>
        </DialogFooter>
      </form>
      {guard.isAsking && (
        <LeaveDialog detail="What you typed will be lost." onLeave={guard.leave} onStay={guard.stay} />
      )}
    </Dialog>
  )
}
