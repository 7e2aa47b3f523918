import { useEffect, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

type RestoredBannerProps = {
  isRestored: boolean
  /** Discards the draft; returns the function that brings it back. */
  onDiscard: () => () => void
}

/** Shows that a draft was restored, with a button that discards it. Until something else is typed, that can be undone. */
export function RestoredBanner({ isRestored, onDiscard }: RestoredBannerProps) {
  const [undo, setUndo] = useState<(() => void) | null>(null)

  useEffect(() => {
    if (!undo) return undefined
    const forget = () => setUndo(null)
    document.addEventListener('input', forget)
    return () => document.removeEventListener('input', forget)
  }, [undo])

  function press() {
    const discarded = undo ? null : onDiscard()
    undo?.()
    setUndo(() => discarded)
  }

  if (!isRestored && !undo) return null
  return (
    <Banner
      tone="info"
      className="w-full"
      action={
        // One button, which keeps the focus.
        <Button size="sm" onClick={press}>
          {undo ? 'Undo' : 'Discard it'}
        </Button>
      }
    >
      {undo ? 'What you typed is discarded.' : 'What you typed and did not save is back.'}
    </Banner>
  )
}

type ConflictBannerProps<In extends FieldValues, Out extends FieldValues> = {
  saving: { form: UseFormReturn<In, unknown, Out>; original: In | undefined; theirs: In | null }
  labels: { [field in keyof In]?: string }
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
  /** Undefined if the form already has this value. */
  onUse: (() => void) | undefined
}

/** Shows the fields that were saved elsewhere while the user was typing. */
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
