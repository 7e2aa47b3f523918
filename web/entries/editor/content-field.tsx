import { createElement, type RefObject, useEffect, useState } from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import { Field } from '#web/ui/controls/field.tsx'
import { useFieldWiring } from '#web/ui/controls/text-input.tsx'
import { codeMirror } from './codemirror.ts'
import type { ContentInputHandle, ContentInputProps } from './content-input.ts'
import type { EntryText } from './entry-draft.ts'
import { type Pasted, PasteOffer } from './paste/paste-offer.tsx'
import { PlainInput } from './plain-input.tsx'
import type { EditorExtension } from './text-handle.ts'

type ContentFieldProps = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  input: RefObject<ContentInputHandle | null>
  /** How often the form was reset to another text. */
  resets: number
  readOnly: boolean
  plain: boolean
  extension?: EditorExtension | undefined
}

/** The Markdown of an entry, in CodeMirror or in a plain text area. */
export function ContentField({ form, input, ...rest }: ContentFieldProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'content' })
  const { ref: register } = field
  useEffect(() => register({ focus: () => input.current?.focus() }), [register, input])

  const [pasted, setPasted] = useState<Pasted | null>(null)

  return (
    <Field label="Content" quiet error={fieldState.error?.message}>
      <ContentInput
        {...rest}
        ref={input}
        read={() => form.getValues('content')}
        onChange={field.onChange}
        onBlur={field.onBlur}
        onPasted={setPasted}
      />
      {pasted && (
        <PasteOffer
          pasted={pasted}
          read={() => field.value}
          text={() => input.current}
          onDone={() => setPasted(null)}
        />
      )}
    </Field>
  )
}

type Props = Omit<ContentInputProps, 'attributes'> & { plain: boolean }

function ContentInput({ plain, ...props }: Props) {
  const wiring = useFieldWiring()
  const attributes = Object.entries({ ...wiring, 'aria-label': 'Content' }).filter(
    ([, value]) => value !== undefined,
  )
  return createElement(plain ? PlainInput : (codeMirror.peek() ?? PlainInput), {
    ...props,
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name, String(value)])),
  })
}
