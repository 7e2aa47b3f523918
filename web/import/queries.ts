import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ImportState } from '#contract/imports.ts'
import { request } from '#web/api/client.ts'

export const importsKey = ['imports']
export const importKey = (importId: string) => [...importsKey, importId]

/** How often an import is read while the server works on it. */
const WATCH_MS = 1_000
const AT_WORK: readonly ImportState[] = ['inspecting', 'running', 'undoing']

const importsQuery = queryOptions({
  queryKey: importsKey,
  queryFn: ({ signal }) => request('listImports', {}, { signal }),
  refetchOnMount: 'always',
})

/** The imports of the user, newest first. */
export const useImports = () => useQuery(importsQuery)

/** One import, read again and again while the server works on it. */
export function useImport(importId: string) {
  return useQuery({
    queryKey: importKey(importId),
    queryFn: ({ signal }) => request('readImport', { params: { importId } }, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data && AT_WORK.includes(data.state) ? WATCH_MS : false),
  })
}
