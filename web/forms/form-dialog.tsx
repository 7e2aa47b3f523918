import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { LeaveDialog } from './leave-guard.tsx'
import type { SavingForm } from './use-saving-form.ts'

type FormDialogProps<In extends FieldValues, Out extends FieldValues> = {
  title: string
  verb: string
  saving: SavingForm<In, Out>
  /** The labels of the fields, for the conflict banner, which leaves out what has none. */
  labels: Labels<In>
  children: ReactNode
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
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

  function send(event: FormEvent) {
    // React would let it bubble to a form around this dialog.
    event.stopPropagation()
    void submit(event)
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
          {isRestored && !saveError && <RestoredBanner onDiscard={discardDraft} />}
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

/** Says that a draft was restored, and discards it. */
export function RestoredBanner({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Banner
      tone="info"
      className="w-full"
      action={
        <Button size="sm" onClick={onDiscard}>
          Discard it
        </Button>
      }
    >
      What you typed and did not save is back.
    </Banner>
  )
}

type Labels<In> = { [field in keyof In]?: string }

type ConflictBannerProps<In extends FieldValues, Out extends FieldValues> = {
  saving: SavingForm<In, Out>
  labels: Labels<In>
}

/** Shows the version that was saved elsewhere during editing, field by field, each with a button to use it. */
export function ConflictBanner<In extends FieldValues, Out extends FieldValues>({
  saving: { form, original, theirs },
  labels,
}: ConflictBannerProps<In, Out>) {
  const typed = form.watch()
  const fields = (Object.keys(labels) as Path<In>[]).filter((field) => theirs?.[field] !== original?.[field])

  function take(field: Path<In>) {
    if (theirs) form.setValue(field, theirs[field], { shouldDirty: true })
  }

  return (
    <ElsewhereBanner
      fields={fields.map((field) => ({
        label: labels[field],
        saved: written(theirs?.[field]),
        onUse: typed[field] === theirs?.[field] ? undefined : () => take(field),
      }))}
    />
  )
}

type SavedField = {
  label: string | undefined
  saved: string
  /** Absent where it is what the form has. */
  onUse: (() => void) | undefined
}

/** Shows fields as they were saved elsewhere while somebody typed. */
export function ElsewhereBanner({ fields }: { fields: SavedField[] }) {
  return (
    <Banner>
      <p>
        This was changed elsewhere while you were typing. What you typed is still here.
        {fields.length > 0 && ' The saved version reads:'}
      </p>
      <dl className="mt-2 flex flex-col gap-2 text-ink">
        {fields.map(({ label, saved, onUse }) => (
          <div key={label}>
            <dt className="font-semibold">{label}</dt>
            <dd className="flex items-center gap-2.5">
              <p className="max-h-32 min-w-0 flex-1 overflow-y-auto whitespace-pre-wrap">{saved}</p>
              {onUse && (
                <Button size="sm" onClick={onUse}>
                  Use this
                </Button>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Banner>
  )
}

function written(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}
