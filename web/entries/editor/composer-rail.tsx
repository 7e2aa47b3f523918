import { type ReactNode, useDeferredValue } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { EntryFields, EntryState } from '#contract/entries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, Field, TextInput } from '#web/ui/controls/field.tsx'
import type { useCircumstances } from './circumstances.ts'
import type { Place } from './composer-settings.ts'
import type { EntryText } from './entry-draft.ts'
import { PlaceField } from './place-field.tsx'

type ComposerRailProps = {
  control: Control<EntryText, unknown, EntryFields>
  about: ReturnType<typeof useCircumstances>
  isNew: boolean
  /** Saves the entry with another state than it has. */
  onSaveAs: (state: EntryState) => void
  target: Place
  onTarget: (target: Place) => void
  isPlain: boolean
  onPlain: (isPlain: boolean) => void
  readOnly: boolean
  /** What is offered below the date. */
  dateOffer: ReactNode
  children: ReactNode
}

/** What else there is to an entry than its text, beside it; below it where there is no room. */
export function ComposerRail(props: ComposerRailProps) {
  const { control, about, isNew, onSaveAs, target, onTarget, isPlain, onPlain, readOnly } = props
  return (
    <section
      aria-label="About this entry"
      className="flex shrink-0 flex-col gap-5 border-line px-5 py-6 max-lg:mx-auto max-lg:w-full max-lg:max-w-[44.5rem] max-lg:border-t lg:sticky lg:top-0 lg:w-76 lg:self-start lg:pt-10"
    >
      <Field label="Date">
        <TextInput
          type="date"
          value={about.day}
          readOnly={readOnly}
          required
          onChange={({ target: { value } }) => about.setDay(value)}
        />
      </Field>
      {props.dateOffer}
      <PlaceField target={target} onTarget={onTarget} disabled={readOnly} />
      {props.children}
      <StateField state={about.state} isNew={isNew} onSaveAs={onSaveAs} disabled={readOnly} />
      <Checkbox label="Plain editor" checked={isPlain} onChange={({ target: box }) => onPlain(box.checked)} />
      <WordCount control={control} />
    </section>
  )
}

type StateFieldProps = {
  state: EntryState
  isNew: boolean
  onSaveAs: (state: EntryState) => void
  disabled: boolean
}

/** Whether others see the entry, and the button that saves it otherwise. */
function StateField({ state, isNew, onSaveAs, disabled }: StateFieldProps) {
  const isDraft = state === 'draft'
  return (
    <section aria-label="State" className="flex flex-col items-start gap-1.5 text-sm">
      <h3 className="font-semibold">State</h3>
      <p className="text-muted">
        {isDraft
          ? 'Draft. Only you can see it.'
          : isNew
            ? 'Everyone who can see the project sees it once it is created.'
            : 'Published.'}
      </p>
      {isNew && (
        <Button size="sm" disabled={disabled} onClick={() => onSaveAs('draft')}>
          Save as draft
        </Button>
      )}
      {isDraft && (
        <Button size="sm" disabled={disabled} onClick={() => onSaveAs('published')}>
          Publish
        </Button>
      )}
    </section>
  )
}

function WordCount({ control }: Pick<ComposerRailProps, 'control'>) {
  const content = useDeferredValue(useWatch({ control, name: 'content' }))
  const count = content.match(/\S+/g)?.length ?? 0
  return <p className="text-sm text-muted tabular-nums">{count === 1 ? '1 word' : `${count} words`}</p>
}
