import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { characters, isStorable } from '#contract/characters.ts'

/** Returns the choice that a search param names, or the fallback for any other value. */
export function oneOf<T extends string | number>(
  choices: readonly T[],
  param: string | null,
  fallback: T,
): T {
  return choices.find((choice) => String(choice) === param) ?? fallback
}

/** Returns a search param if the server accepts it as a filter text, else null. */
export function within(max: number, param: string | null): string | null {
  return param !== null && isStorable(param) && characters(param) <= max ? param : null
}

/** Returns the page number of a search param, or 1. */
export function pageOf(param: string | null): number {
  return param !== null && /^[1-9]\d{0,5}$/.test(param) ? Number(param) : 1
}

/** Returns the search params with each value under its name; values that equal the initial ones are left out. */
export function withFilters<Values extends object>(
  params: URLSearchParams,
  names: { readonly [key in keyof Values]: string },
  values: Values,
  initial: Values,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const key of Object.keys(names) as (keyof Values)[]) {
    const value = values[key]
    if (value === initial[key] || value === null) next.delete(names[key])
    else next.set(names[key], String(value))
  }
  return next
}

const TYPING_PAUSE_MS = 150

/** Reads the filters of a list from the URL's search params and writes changes into them. */
type Codec<Filters> = {
  read: (params: URLSearchParams) => Filters
  write: (params: URLSearchParams, changes: Partial<Filters>) => URLSearchParams
}

/**
 * The filters of a list, kept in the URL so that Back and a shared link restore them. `typed` is the current text of the
 * search box; the URL follows it after a pause in typing.
 */
export function useFilters<Filters extends { search: string }>({ read, write }: Codec<Filters>) {
  const [params, setParams] = useSearchParams()
  const filters = read(params)
  const [typed, setTyped] = useState(filters.search)
  const settled = useRef(filters.search)

  useEffect(() => {
    if (filters.search === settled.current) return
    settled.current = filters.search
    setTyped(filters.search)
  }, [filters.search])

  const change = useCallback(
    (changes: Partial<Filters>, replace = false) => {
      settled.current = changes.search ?? typed
      setTyped(settled.current)
      const withTyped = typed === filters.search ? changes : { search: typed, ...changes }
      setParams((current) => write(current, withTyped), { replace, preventScrollReset: true })
    },
    [filters.search, setParams, typed, write],
  )

  useEffect(() => {
    if (typed === filters.search || typed === settled.current) return undefined
    const timer = setTimeout(() => {
      // Another change may have written the search already, without a render that would have cleared this timer.
      if (typed !== settled.current) change({ search: typed } as Partial<Filters>, true)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [change, filters.search, typed])

  return { filters, typed, type: setTyped, change }
}
