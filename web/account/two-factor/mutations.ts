import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountQuery, sessionsQuery } from '#web/account/queries.ts'
import { exchange, request } from '#web/api/client.ts'

/** The mutation key of changes of two-step sign-in. */
export const twoFactorMutationKey = ['account', 'two-factor']

/** Fetches a secret for an authenticator app. The forms show the refusals of this and the other mutations. */
export function useBeginTwoFactor() {
  return useMutation({
    mutationFn: () => request('beginTwoFactor', {}),
  })
}

/** Sends the code without retries, because it is valid only once. */
export function useTurnOnTwoFactor() {
  return useMutation({
    mutationKey: twoFactorMutationKey,
    mutationFn: (code: string) => exchange('turnOnTwoFactor', { body: { code } }),
    onSettled: useRefetch(),
  })
}

export function useTurnOffTwoFactor() {
  return useMutation({
    mutationKey: twoFactorMutationKey,
    mutationFn: () => request('turnOffTwoFactor', {}),
    onSettled: useRefetch(),
  })
}

/** Creates new recovery codes. They are not stored, so they are lost with the response. */
export function useMakeRecoveryCodes() {
  return useMutation({
    mutationKey: twoFactorMutationKey,
    mutationFn: () => request('makeRecoveryCodes', {}),
    onSettled: useRefetch(),
  })
}

function useRefetch() {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [accountQuery, sessionsQuery].map(({ queryKey }) =>
        client.invalidateQueries({ queryKey, exact: true }),
      ),
    )
}
