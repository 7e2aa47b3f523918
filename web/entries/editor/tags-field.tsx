import {
  type KeyboardEvent,
  type Ref,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FieldErrors } from 'react-hook-form'
import { Field } from '#web/ui/controls/field.tsx'
import { useFieldAriaProps } from '#web/ui/controls/text-input.tsx'
import { TagChip } from '#web/ui/layout/badge.tsx'
import type { EntryText } from './entry-draft.ts'

type TagsFieldProps = TagBoxProps & { errors: FieldErrors<EntryText>['tags'] }

/** The tags of an entry. */
export function TagsField({ errors, ...box }: TagsFieldProps) {
  return (
    <Field label="Tags" quiet error={problemOf(errors)}>
      <TagBox {...box} />
    </Field>
  )
}

/** Returns the error of the list, or of the first invalid tag. */
function problemOf(errors: FieldErrors<EntryText>['tags']): string | undefined {
  return errors?.message ?? errors?.find?.((problem) => problem?.message)?.message
}

/** The methods of the field for its form; `addTyped` adds the tag that is still being typed. */
export type TagsFieldHandle = { addTyped: () => void; focus: () => void }

type TagBoxProps = {
  ref: Ref<TagsFieldHandle>
  tags: readonly string[]
  readOnly: boolean
  onChange: (tags: string[]) => void
}

/**
 * A text box for tags: Enter, a comma or leaving the box adds what was typed, Backspace in the empty box removes the last tag.
 */
function TagBox({ ref, tags, readOnly, onChange }: TagBoxProps) {
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)

  function add(text: string) {
    const next = addTags(tags, text)
    if (next.length > tags.length) onChange(next)
    setTyped('')
  }

  const addTyped = () => add(typed)
  useImperativeHandle(ref, () => ({ addTyped, focus: () => input.current?.focus() }))

  const addBeforeDraft = useEffectEvent(addTyped)
  // Cleaned up before the effects of the form that store its draft, because a field that is unmounted gets no blur event.
  useLayoutEffect(() => {
    const addOnHide = () => addBeforeDraft()
    addEventListener('pagehide', addOnHide)
    document.addEventListener('visibilitychange', addOnHide)
    return () => {
      removeEventListener('pagehide', addOnHide)
      document.removeEventListener('visibilitychange', addOnHide)
      addBeforeDraft()
    }
  }, [])

  function remove(tag: string) {
    onChange(tags.filter((other) => other !== tag))
    input.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (readOnly) return
    if (event.key === 'Enter') {
      add(typed)
      event.preventDefault()
    }
    const last = tags.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
  }

  return (
    <div className="flex min-h-10 flex-wrap items-center gap-1.5 border-t border-line pt-3 has-[input:focus-visible]:border-focus has-[input[aria-invalid]]:border-danger">
      {tags.length > 0 && (
        <ul className="contents">
          {tags.map((tag) => (
            <li key={tag} className="flex max-w-full">
              <TagChip tag={tag} onRemove={readOnly ? undefined : () => remove(tag)} />
            </li>
          ))}
        </ul>
      )}
      <input
        {...useFieldAriaProps()}
        ref={input}
        value={typed}
        readOnly={readOnly}
        dir="auto"
        placeholder={tags.length === 0 ? 'Add tags' : 'Add another'}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        className="h-7 min-w-[min(10rem,100%)] flex-1 bg-transparent text-base outline-none sm:text-sm pointer-coarse:h-10"
        onChange={({ target }) => (target.value.includes(',') ? add(target.value) : setTyped(target.value))}
        onKeyDown={onKeyDown}
        onBlur={addTyped}
      />
    </div>
  )
}

/** Adds comma-separated tags, trimmed, except blank and duplicate ones. */
export function addTags(tags: readonly string[], typed: string): string[] {
  const added = [...tags]
  for (const tag of typed.split(',').map((part) => part.trim())) {
    if (tag !== '' && !added.includes(tag)) added.push(tag)
  }
  return added
}
