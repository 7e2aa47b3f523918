import { type KeyboardEvent, useState } from 'react'
import { GrowingText } from '#web/ui/controls/field.tsx'
import type { ShownItem } from './media-blocks.ts'
import type { Surface } from './surface.ts'

export const WORDS_MAX = 500

type CaptionProps = {
  surface: Surface
  item: ShownItem
  name: string
  /** Whether no other file of the gallery follows. */
  isLast: boolean
  readOnly: boolean
}

/** The caption of a file, edited where readers see it. Enter goes on to the next one of its gallery. */
export function Caption({ surface, item, name, isLast, readOnly }: CaptionProps) {
  const { words, caption } = item
  const field = useWrittenField(caption, (next) => surface.describe(item, words, next), nextCaption)
  if (readOnly && caption === '') return null
  return (
    <GrowingText
      {...field}
      rows={1}
      aria-label={`Caption of ${name}`}
      placeholder="Caption"
      readOnly={readOnly}
      enterKeyHint={isLast ? 'done' : 'next'}
      className="surface-caption"
    />
  )
}

const openerOf = (field: Element) => field.closest('figure')?.querySelector<HTMLElement>('[data-opens-file]')

const nextCaption = (field: Element) =>
  field.closest('figure')?.nextElementSibling?.querySelector<HTMLElement>('.surface-caption') ??
  openerOf(field)

/**
 * Returns the properties of a text box whose words are written into the text as they are typed. Enter ends them, because they are one
 * line, and focuses the next element. What the box shows is the person's own text, because the written one has no spaces at its ends.
 */
export function useWrittenField(value: string, write: (words: string) => void, next = openerOf) {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    value: typed ?? value,
    maxLength: WORDS_MAX,
    onChange({ target }: { target: HTMLTextAreaElement }) {
      const line = target.value.replaceAll('\n', ' ')
      setTyped(line)
      write(line)
    },
    onBlur: () => setTyped(null),
    onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
      if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
      // Only Ctrl+Enter saves the form, by its own handler.
      if (!event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        event.currentTarget.blur()
        next(event.currentTarget)?.focus()
      }
    },
  }
}
