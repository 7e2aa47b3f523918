import { type ReactNode, type RefObject, useState } from 'react'
import type { ContentInputHandle } from '#web/composer/text/content-input.ts'
import { FindBar } from './find-bar.tsx'
import { findKeyOf } from './find-keys.ts'
import type { Finder } from './finder.ts'

export type Finding = {
  bar: ReactNode
  /** Opens the search, for what is selected or else was looked for last; returns false in a plain text area. */
  open: () => boolean
  /** Does what a key of the browser's own search asks for; returns whether it did. */
  press: (pressed: KeyboardEvent) => boolean
  /** Ends the search, with the focus in the text; returns whether there was one. */
  close: () => boolean
  /** Ends the search, and leaves the focus where it is. */
  end: () => void
}

/** The longest selection that is taken as what to look for. */
const SELECTED_MAX = 100

/** The search in the text of the composer, in a bar above it. */
export function useFinding(input: RefObject<ContentInputHandle | null>): Finding {
  const [query, setQuery] = useState('')
  const [search, setSearch] = useState<{ key: number; loading: Promise<Finder> } | null>(null)

  function open(): boolean {
    const { current: text } = input
    const loading = text?.finder() ?? null
    if (!text || !loading) return false
    const { start, end, text: all } = text.selected()
    const selected = end - start > SELECTED_MAX ? '' : all.slice(start, end)
    if (selected !== '' && !selected.includes('\n')) setQuery(selected)
    // With another key the field is a new one, which takes the focus.
    setSearch((current) => ({ key: (current?.key ?? 0) + 1, loading }))
    return true
  }

  function close(): boolean {
    setSearch(null)
    if (search) input.current?.focus()
    return search !== null
  }

  function press(pressed: KeyboardEvent): boolean {
    const key = findKeyOf(pressed)
    if (key === 'open') return open()
    // A failed load is told by the bar.
    if (key !== null)
      search?.loading.then(
        (finder) => finder.go(key),
        () => undefined,
      )
    return key !== null && search !== null
  }

  const bar = search && (
    <FindBar key={search.key} query={query} onQuery={setQuery} loading={search.loading} onClose={close} />
  )
  return { bar, open, press, close, end: () => setSearch(null) }
}
