import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewCredential, Passkey } from '#contract/passkeys.ts'
import { change } from '#web/api/change.ts'
import { exchange, request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => request('listPasskeys', {}, { signal }),
})

/** Adds the passkey that the device has made, once, as its challenge is good for one try; refusals are shown by the form. */
export function useAddPasskey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; name: string; credential: NewCredential }) =>
      exchange('addPasskey', { params: { passkeyId: id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}

/** Fetches a passkey as it is now; undefined where it is gone. */
const find = async (passkeyId: string): Promise<Passkey | undefined> =>
  (await request('listPasskeys', {})).find(({ _id }) => _id === passkeyId)

/** Renames a passkey; refusals are shown by the form. */
export function useRenamePasskey({ _id }: Passkey) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) =>
      change(
        'renamePasskey',
        { params: { passkeyId: _id }, body: { name } },
        { isDone: async () => (await find(_id))?.name === name },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}

export function useRemovePasskey({ _id, name }: Passkey) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) =>
      change(
        'removePasskey',
        { params: { passkeyId: _id } },
        { isDone: async () => (await find(_id)) === undefined },
      ),
    onSuccess: () => toast.success(`${name} is removed`),
    onError: (error) => toastError(error, 'Failed to remove the passkey'),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}
