import { useFilters } from '#web/forms/use-filters.ts'
import { readFilters, writeFilters } from './entry-filters.ts'

const codec = { read: readFilters, write: writeFilters }

/** The filters of the entry list. */
export const useEntryFilters = () => useFilters(codec)
