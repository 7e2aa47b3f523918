import type { ChangeEvent, KeyboardEvent } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { Field, GrowingText } from '#web/ui/controls/field.tsx'

type TitleFieldProps = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  readOnly: boolean
  /** Called by Enter, and by an arrow down behind the last letter. */
  onLeave: () => void
}

/** The title of an entry, as large as its readers see it: one line of text, which wraps. */
export function TitleField({ form, readOnly, onLeave }: TitleFieldProps) {
  const { onChange, ...registered } = form.register('title')

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { selectionStart, value } = event.currentTarget
    const leaves =
      event.key === 'Enter' ||
      (event.key === 'ArrowDown' && !event.shiftKey && selectionStart === value.length)
    if (!leaves || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onLeave()
  }

  function changeLine(event: ChangeEvent<HTMLTextAreaElement>) {
    const { target } = event
    if (target.value.includes('\n')) target.value = target.value.replaceAll('\n', ' ')
    void onChange(event)
  }

  // The padding is for the descenders of other scripts, which are deeper than the line.
  return (
    <Field label="Title" quiet error={form.formState.errors.title?.message}>
      <GrowingText
        {...registered}
        rows={1}
        placeholder="Title"
        autoComplete="off"
        enterKeyHint="next"
        readOnly={readOnly}
        className="-mb-2 block w-full resize-none bg-transparent pb-2 font-reading text-2xl leading-tight! font-medium outline-none sm:text-[2rem]"
        onChange={changeLine}
        onKeyDown={onKeyDown}
      />
    </Field>
  )
}
