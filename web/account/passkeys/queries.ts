import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewCredential, Passkey } from '#contract/passkeys.ts'
import { exchange, request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => request('listPasskeys', {}, { signal }),
})

/** Adds the created passkey without retries, because its challenge is valid only once; the form shows refusals. */
export function useAddPasskey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; name: string; credential: NewCredential }) =>
      exchange('addPasskey', { params: { passkeyId: id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}

/** Renames a passkey; the form shows refusals. */
export function useRenamePasskey({ _id }: Passkey) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['passkeys', 'rename', _id],
    mutationFn: (name: string) => change('renamePasskey', { params: { passkeyId: _id }, body: { name } }),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}

export function useRemovePasskey({ _id, name }: Passkey) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => change('removePasskey', { params: { passkeyId: _id } }),
    onSuccess: () => toast.success(`${name} is removed`),
    onError: (error) => toastError(error, 'Failed to remove the passkey'),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}
