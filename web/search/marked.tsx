import type { ReactNode } from 'react'
import type { MarkedText } from '#contract/search.ts'

/** A text whose matches are marked. */
export function Marked({ text, marks }: MarkedText) {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, length } of marks) {
    parts.push(text.slice(at, start))
    parts.push(
      <mark key={start} className="rounded-xs bg-accent-soft text-accent-strong">
        {text.slice(start, start + length)}
      </mark>,
    )
    at = start + length
  }
  return [...parts, text.slice(at)]
}
