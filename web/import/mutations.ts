import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportChoices, ImportRecord } from '#contract/imports.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { importKey, importsKey } from './queries.ts'
import { beginImport, sendArchive } from './send-archive.ts'

/** Sends an archive. `share`: how much of it has arrived; null while none is sent. */
export function useSendArchive(onBegun: (begun: ImportRecord) => void) {
  const client = useQueryClient()
  const [share, setShare] = useState<number | null>(null)
  const mutation = useChange({
    mutationKey: ['send-archive'],
    mutationFn: async (file: File) => {
      const begun = await beginImport(file)
      client.setQueryData(importKey(begun._id), begun)
      onBegun(begun)
      setShare(begun.received / begun.size)
      return sendArchive(begun, file, { onProgress: setShare, signal: new AbortController().signal })
    },
    onSuccess: (sent) => client.setQueryData(importKey(sent._id), sent),
    onError: (error) => toastError(error, 'The file could not be sent'),
    onSettled: () => {
      setShare(null)
      void client.invalidateQueries({ queryKey: importsKey })
    },
  })
  return { ...mutation, share }
}

/** Creates what the plan shows, or goes on. */
export function useRunImport(importId: string) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['run-import', importId],
    mutationFn: (choices: Partial<ImportChoices>) =>
      request('runImport', { params: { importId }, body: choices }),
    onSuccess: (run) => client.setQueryData(importKey(importId), run),
    onError: (error) => toastError(error, 'The import could not be started'),
  })
}

export function useUndoImport(importId: string) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['undo-import', importId],
    mutationFn: () => request('undoImport', { params: { importId } }),
    onSuccess: (undone) => client.setQueryData(importKey(importId), undone),
    onError: (error) => toastError(error, 'The import could not be undone'),
  })
}

export function useCancelImport(importId: string, onCancelled: () => void) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['cancel-import', importId],
    mutationFn: () => change('deleteImport', { params: { importId } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: importsKey })
      onCancelled()
    },
    onError: (error) => toastError(error, 'The import could not be cancelled'),
  })
}
