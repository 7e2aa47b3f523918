import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { characters, isStorable } from '#contract/parts/characters.ts'

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
  // The texts of navigations that are not rendered yet: on a slow device one arrives after more was typed, and must not undo that.
  const pending = useRef<string[]>([])

  useEffect(() => {
    const { isOwn, rest } = reconcileSearch(pending.current, filters.search)
    pending.current = rest
    if (!isOwn) setTyped(filters.search)
  }, [filters.search])

  const navigate = useCallback(
    (search: string, changes: Partial<Filters>, replace: boolean) => {
      if (search !== (pending.current.at(-1) ?? filters.search)) pending.current.push(search)
      setParams((current) => write(current, changes), { replace, preventScrollReset: true })
    },
    [filters.search, setParams, write],
  )

  const change = useCallback(
    (changes: Partial<Filters>, replace = false) => {
      const search = changes.search ?? typed
      if (search !== typed) setTyped(search)
      navigate(search, typed === filters.search ? changes : { search: typed, ...changes }, replace)
    },
    [filters.search, navigate, typed],
  )

  useEffect(() => {
    const isWritten = () => typed === (pending.current.at(-1) ?? filters.search)
    if (isWritten()) return undefined
    const timer = setTimeout(() => {
      // Another change may have written the search already, without a render that would have cleared this timer.
      if (!isWritten()) navigate(typed, { search: typed } as Partial<Filters>, true)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [filters.search, navigate, typed])

  return { filters, typed, type: setTyped, change }
}

/**
 * Whether a search that the URL has now was written by this list, and the texts that are still pending then. Navigations that a later
 * one interrupted never arrive; one from elsewhere, such as Back, ends all of them.
 */
export function reconcileSearch(
  pending: readonly string[],
  search: string,
): { isOwn: boolean; rest: string[] } {
  const index = pending.indexOf(search)
  return { isOwn: index !== -1, rest: index === -1 ? [] : pending.slice(index + 1) }
}
