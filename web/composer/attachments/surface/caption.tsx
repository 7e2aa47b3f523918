import { type KeyboardEvent, useState } from 'react'
import { GrowingText } from '#web/ui/controls/field.tsx'
import type { ShownItem, Surface } from './surface.ts'

export const WORDS_MAX = 500

type CaptionProps = { surface: Surface; item: ShownItem; name: string; readOnly: boolean }

/** The caption of a file, edited where readers see it. */
export function Caption({ surface, item, name, readOnly }: CaptionProps) {
  const { words, caption } = item
  const field = useWrittenField(caption, (next) => surface.describe(item, words, next))
  if (readOnly && caption === '') return null
  return (
    <GrowingText
      {...field}
      rows={1}
      aria-label={`Caption of ${name}`}
      placeholder="Caption"
      readOnly={readOnly}
      enterKeyHint="done"
      className="surface-caption"
    />
  )
}

/**
 * Returns the properties of a text box whose words are written into the text as they are typed. Enter ends them, because they are one
 * line. What the box shows is the person's own text, because the written one has no spaces at its ends.
 */
export function useWrittenField(value: string, write: (words: string) => void) {
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
        event.currentTarget.closest('figure')?.querySelector<HTMLElement>('[data-opens-file]')?.focus()
      }
    },
  }
}
