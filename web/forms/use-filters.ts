import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'

const TYPING_PAUSE_MS = 150

type Searched = { search: string }

/** How the filters of a list are read from a URL's query and written into it. */
type Codec<Filters> = {
  read: (params: URLSearchParams) => Filters
  write: (params: URLSearchParams, changes: Partial<Filters>) => URLSearchParams
}

/**
 * The filters of a list, kept in the URL, so that Back and a shared link restore them. `typed` is the search
 * box as it stands under the fingers; the URL follows it when they pause.
 */
export function useFilters<Filters extends Searched>({ read, write }: Codec<Filters>) {
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
      // Another change may have taken the search along meanwhile, without a render that would have ended this wait.
      if (typed !== settled.current) change({ search: typed } as Partial<Filters>, true)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [change, filters.search, typed])

  return { filters, typed, type: setTyped, change }
}
