import { type ReactNode, useDeferredValue } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import { Checkbox } from '#web/ui/controls/field.tsx'
import type { Place } from './composer-settings.ts'
import type { EntryText } from './entry-draft.ts'
import { PlaceField } from './place-field.tsx'

type ComposerRailProps = {
  control: Control<EntryText, unknown, EntryFields>
  target: Place
  onTarget: (target: Place) => void
  isPlain: boolean
  onPlain: (isPlain: boolean) => void
  readOnly: boolean
  children: ReactNode
}

/** What else there is to an entry than its text, beside it; below it where there is no room. */
export function ComposerRail(props: ComposerRailProps) {
  const { control, target, onTarget, isPlain, onPlain, readOnly, children } = props
  return (
    <section
      aria-label="About this entry"
      className="flex shrink-0 flex-col gap-5 border-line px-5 py-6 max-lg:mx-auto max-lg:w-full max-lg:max-w-[44.5rem] max-lg:border-t lg:sticky lg:top-0 lg:w-76 lg:self-start lg:pt-10"
    >
      <PlaceField target={target} onTarget={onTarget} disabled={readOnly} />
      {children}
      <Checkbox label="Plain editor" checked={isPlain} onChange={({ target: box }) => onPlain(box.checked)} />
      <WordCount control={control} />
    </section>
  )
}

function WordCount({ control }: Pick<ComposerRailProps, 'control'>) {
  const content = useDeferredValue(useWatch({ control, name: 'content' }))
  const count = content.match(/\S+/g)?.length ?? 0
  return <p className="text-sm text-muted tabular-nums">{count === 1 ? '1 word' : `${count} words`}</p>
}
