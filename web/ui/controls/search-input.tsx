import { clsx } from 'clsx'
import { Search, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { quietControlClass, TextInput } from './text-input.tsx'

type SearchInputProps = {
  label: string
  placeholder: string
  value: string
  maxLength?: number
  onChange: (value: string) => void
  /** Without a visible frame, for lists in which searching is rarely needed. */
  quiet?: boolean
  /** For a screen that is opened to search: the box has the focus at first. */
  takesFocus?: true
  className?: string
}

/** A search box that the key `/` focuses, as the command `search` does, and Escape clears. */
export function SearchInput(props: SearchInputProps) {
  const { label, placeholder, value, maxLength, onChange, quiet, takesFocus, className } = props
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  function empty() {
    onChange('')
    input.current?.focus()
  }

  return (
    <div className={clsx('relative', className)}>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
      <TextInput
        ref={input}
        type="search"
        data-takes-focus={takesFocus}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={value}
        maxLength={maxLength}
        className={clsx('pl-9', value && 'pr-9 pointer-coarse:pr-11', quiet && quietControlClass)}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.stopPropagation()
          onChange('')
        }}
      />
      {value && (
        <button
          type="button"
          aria-label="Clear"
          className="absolute inset-y-1 right-1 rounded-sm px-2 pointer-coarse:inset-y-0.5 pointer-coarse:px-3 text-muted hover:bg-hover hover:text-ink"
          onClick={empty}
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
