import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type EntryFilters, readFilters, writeFilters } from './entry-filters.ts'

const TYPING_PAUSE_MS = 150

/**
 * The filters of the entry list, kept in the URL, so that Back and a shared link restore them. `typed` is the search
 * box as it stands under the fingers; the URL follows it when they pause.
 */
export function useEntryFilters() {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const [typed, setTyped] = useState(filters.search)
  const settled = useRef(filters.search)

  useEffect(() => {
    if (filters.search === settled.current) return
    settled.current = filters.search
    setTyped(filters.search)
  }, [filters.search])

  const change = useCallback(
    (changes: Partial<EntryFilters>, replace = false) => {
      settled.current = changes.search ?? typed
      setTyped(settled.current)
      const withTyped = typed === filters.search ? changes : { search: typed, ...changes }
      setParams((current) => writeFilters(current, withTyped), { replace, preventScrollReset: true })
    },
    [filters.search, setParams, typed],
  )

  useEffect(() => {
    if (typed === filters.search || typed === settled.current) return undefined
    const timer = setTimeout(() => {
      // Another change may have taken the search along meanwhile, without a render that would have ended this wait.
      if (typed !== settled.current) change({ search: typed }, true)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [change, filters.search, typed])

  return { filters, typed, type: setTyped, change }
}
