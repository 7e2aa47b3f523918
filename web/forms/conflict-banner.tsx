import type { FieldValues, Path } from 'react-hook-form'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import type { SavingForm } from './use-saving-form.ts'

export type Labels<In> = { [field in keyof In]-?: string }

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
    <Banner>
      <p>
        This was changed elsewhere while you were typing. What you typed is still here. The saved version
        reads:
      </p>
      <dl className="mt-2 flex flex-col gap-2 text-ink">
        {fields.map((field) => (
          <div key={field} className="flex items-center gap-2.5">
            <div className="min-w-0 flex-1">
              <dt className="font-semibold">{labels[field]}</dt>
              <dd className="max-h-32 overflow-y-auto whitespace-pre-wrap">{written(theirs?.[field])}</dd>
            </div>
            {typed[field] !== theirs?.[field] && (
              <Button size="sm" onClick={() => take(field)}>
                Use this
              </Button>
            )}
          </div>
        ))}
      </dl>
    </Banner>
  )
}

function written(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}
