import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from '#web/ui/controls/button.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { reportFailedLoad } from '#web/ui/dialogs/on-demand.tsx'
import { findKeyOf } from './find-keys.ts'
import type { Finder, Found } from './finder.ts'

const numbers = new Intl.NumberFormat('en')

function placesIn({ query, count, current }: Found): string {
  if (query === '') return ''
  if (count === 0) return 'No matches'
  if (current === 0) return count === 1 ? '1 match' : `${numbers.format(count)} matches`
  return `${numbers.format(current)} of ${numbers.format(count)}`
}

const NOTHING: Found = { query: '', count: 0, current: 0 }
const never = () => () => {}
const nothing = () => NOTHING

type FindBarProps = {
  query: string
  onQuery: (query: string) => void
  /** The search; what is typed until it is loaded is looked for then. */
  loading: Promise<Finder>
  onClose: () => void
}

/** The search in the text that is written: Enter goes to the next place, Shift+Enter to the one before. */
export function FindBar({ query, onQuery, loading, onClose }: FindBarProps) {
  const finder = useFinder(query, loading, onClose)
  const found = useSyncExternalStore(finder?.subscribe ?? never, finder?.read ?? nothing)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  /** Goes there once the search is loaded; a failed load is told already. */
  function go(pressed: 1 | -1) {
    loading.then(
      (loaded) => loaded.go(pressed),
      () => undefined,
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
    const isEnter = key === 'Enter' && !ctrlKey && !metaKey && !altKey && target === input.current
    const pressed = isEnter ? (shiftKey ? -1 : 1) : findKeyOf(event.nativeEvent)
    if (pressed === null) return
    event.stopPropagation()
    // Here the key of the search opens that of the browser.
    if (pressed === 'open') return
    event.preventDefault()
    go(pressed)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/no-noninteractive-element-interactions -- the events come from its field
    <search
      aria-label="Find in the text"
      onKeyDown={onKeyDown}
      className="shrink-0 border-b border-line bg-raised px-5 lg:pr-[20.25rem]"
    >
      <div className="mx-auto flex max-w-reading items-center gap-1 py-1.5">
        <TextInput
          ref={input}
          type="search"
          aria-label="Find in the text"
          placeholder="Find in the text"
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
          value={query}
          onChange={({ target }) => {
            onQuery(target.value)
            finder?.find(target.value)
          }}
          className="min-w-0 flex-1"
        />
        <p aria-live="polite" className="min-w-20 text-center text-sm text-muted tabular-nums">
          {placesIn(found)}
        </p>
        <IconButton
          label="Previous match"
          icon={<ChevronUp aria-hidden="true" />}
          disabled={found.count === 0}
          onClick={() => go(-1)}
        />
        <IconButton
          label="Next match"
          icon={<ChevronDown aria-hidden="true" />}
          disabled={found.count === 0}
          onClick={() => go(1)}
        />
        <IconButton label="Close the search" icon={<X aria-hidden="true" />} onClick={onClose} />
      </div>
    </search>
  )
}

/** Searches while the bar is shown; null until the search is loaded. */
function useFinder(query: string, loading: Promise<Finder>, onFailed: () => void): Finder | null {
  const [finder, setFinder] = useState<Finder | null>(null)
  const begin = useEffectEvent((loaded: Finder) => {
    loaded.find(query)
    setFinder(loaded)
  })
  const fail = useEffectEvent(() => {
    reportFailedLoad()
    onFailed()
  })

  useEffect(() => {
    let isShown = true
    let ended: Finder | undefined
    async function wait() {
      try {
        const loaded = await loading
        if (!isShown) return
        ended = loaded
        begin(loaded)
      } catch {
        if (isShown) fail()
      }
    }
    void wait()
    return () => {
      isShown = false
      ended?.close()
    }
  }, [loading])

  return finder
}
