import { clsx } from 'clsx'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FieldErrors } from 'react-hook-form'
import { BETWEEN_TAGS, composed, isBlank } from '#contract/parts/characters.ts'
import { fold } from '#contract/parts/folding.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { useProjectTags } from '#web/entries/queries.ts'
import { Field } from '#web/ui/controls/field.tsx'
import { useFieldAriaProps } from '#web/ui/controls/text-input.tsx'
import { TagChip } from '#web/ui/layout/badge.tsx'

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

/** The methods of the field for its form; `addTyped` adds the tag that is still being typed, `hasTyped` tells whether there is one. */
export type TagsFieldHandle = { addTyped: () => void; hasTyped: () => boolean; focus: () => void }

type TagBoxProps = {
  ref: Ref<TagsFieldHandle>
  tags: readonly string[]
  /** The project whose tags are suggested while typing. */
  projectId: string
  readOnly: boolean
  onChange: (tags: string[]) => void
}

/**
 * A text box for tags: Enter, a comma of any script or leaving the box adds what was typed, Backspace in the empty box removes the last tag.
 */
function TagBox({ ref, tags, projectId, readOnly, onChange }: TagBoxProps) {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const { typed, type, add, suggested, active, moveBy } = useTyping({ tags, projectId, readOnly, onChange })
  const chosen = suggested[active]

  const addTyped = () => add(typed)
  const hasTyped = () => typed !== ''
  useImperativeHandle(ref, () => ({ addTyped, hasTyped, focus: () => input.current?.focus() }))

  useBeforeDraft(addTyped)

  function remove(tag: string) {
    onChange(tags.filter((other) => other !== tag))
    input.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (readOnly) return
    if (event.key === 'Enter') {
      add(chosen ?? typed)
      event.preventDefault()
    }
    if (suggested.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      moveBy(event.key === 'ArrowDown' ? 1 : -1)
      event.preventDefault()
    }
    const last = tags.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
  }

  /** A list or a column: the input would make one line of it. */
  function onPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text/plain').trim()
    if (readOnly || !/[\n\r\t]/.test(pasted)) return
    event.preventDefault()
    add(`${typed},${pasted.replaceAll('\r', '\n')}`)
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
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : `${listId}-${active}`}
        value={typed}
        readOnly={readOnly}
        dir="auto"
        placeholder={tags.length === 0 ? 'Add tags' : 'Add another'}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        className="h-7 min-w-[min(10rem,100%)] flex-1 bg-transparent text-base outline-none sm:text-sm pointer-coarse:h-10"
        onChange={({ target, nativeEvent }) => {
          const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
          if (!isComposing && BETWEEN_TAGS.test(target.value)) add(target.value)
          else type(target.value)
        }}
        onCompositionEnd={({ currentTarget: { value } }) => BETWEEN_TAGS.test(value) && add(value)}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        onBlur={addTyped}
      />
      <Suggestions id={listId} tags={suggested} active={active} onChoose={add} />
    </div>
  )
}

/** What is being typed, and which of the known tags it may become. */
function useTyping({ tags, projectId, readOnly, onChange }: Omit<TagBoxProps, 'ref'>) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(-1)
  const known = useProjectTags(projectId, { isEnabled: typed !== '' })
  const suggested = readOnly ? [] : suggestTags(known, tags, typed)

  function type(text: string) {
    setTyped(text)
    setActive(-1)
  }

  function add(text: string) {
    const next = addTags(tags, text)
    if (next.length > tags.length) onChange(next)
    type('')
  }

  const moveBy = (step: 1 | -1) =>
    setActive((at) => (at + step + suggested.length + (at < 0 && step < 0 ? 1 : 0)) % suggested.length)

  return { typed, type, add, suggested, active, moveBy }
}

/** Runs before the effects of the form that store its draft, because a field that is unmounted gets no blur event. */
function useBeforeDraft(run: () => void) {
  const latest = useEffectEvent(run)
  useLayoutEffect(() => {
    const runOnHide = () => latest()
    addEventListener('pagehide', runOnHide)
    document.addEventListener('visibilitychange', runOnHide)
    return () => {
      removeEventListener('pagehide', runOnHide)
      document.removeEventListener('visibilitychange', runOnHide)
      latest()
    }
  }, [])
}

type SuggestionsProps = {
  id: string
  tags: readonly string[]
  /** The index of the one that Enter adds. */
  active: number
  onChoose: (tag: string) => void
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- the keys come from the input, which no datalist or select can be steered by */
function Suggestions({ id, tags, active, onChoose }: SuggestionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Used in this project"
      hidden={tags.length === 0}
      className="flex basis-full flex-wrap gap-1.5 [&[hidden]]:hidden"
    >
      {tags.map((tag, at) => (
        <div
          key={tag}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          tabIndex={-1}
          dir="auto"
          className={clsx(
            'max-w-full cursor-pointer truncate rounded-md border px-2 py-0.5 text-sm pointer-coarse:py-2',
            at === active ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
          )}
          // The focus stays in the box, which would otherwise add what was typed so far.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(tag)}
        >
          {tag}
        </div>
      ))}
    </div>
  )
}
/* oxlint-enable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events */

/** Adds tags that a comma or the end of a line separates, trimmed, except blank and duplicate ones. */
export function addTags(tags: readonly string[], typed: string): string[] {
  const added = [...tags]
  for (const tag of typed.split(BETWEEN_TAGS).map((part) => composed(part.trim()))) {
    if (!isBlank(tag) && !added.includes(tag)) added.push(tag)
  }
  return added
}

/** The number of suggested tags. */
const SUGGESTED = 6

/** Returns the known tags that contain what is being typed, in the letters that they have; those that begin with it come first. */
export function suggestTags(known: readonly string[], tags: readonly string[], typed: string): string[] {
  // In parts of letters: of a Korean syllable, they are typed one by one.
  const parts = (text: string) => fold(text).normalize('NFD')
  const wanted = parts(typed.trim())
  if (wanted === '') return []
  const matching = known.filter((tag) => !tags.includes(tag) && parts(tag).includes(wanted))
  const begins = (tag: string) => parts(tag).startsWith(wanted)
  return [...matching.filter(begins), ...matching.filter((tag) => !begins(tag))].slice(0, SUGGESTED)
}
