import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountQuery, sessionsQuery } from '#web/account/queries.ts'
import { exchange, request } from '#web/api/client.ts'

/** The key of what changes two-step sign-in. */
export const CHANGING = ['account', 'two-factor']

/** Fetches a secret for an authenticator app. Refusals of this and of the others are shown by their forms. */
export function useBeginTwoFactor() {
  return useMutation({
    mutationFn: (currentPassword: string) => request('beginTwoFactor', { body: { currentPassword } }),
  })
}

/** Sends the code once, as it is good for one try. */
export function useTurnOnTwoFactor() {
  return useMutation({
    mutationKey: CHANGING,
    mutationFn: (code: string) => exchange('turnOnTwoFactor', { body: { code } }),
    onSettled: useRefetch(),
  })
}

type Proof = { currentPassword: string; code: string }

export function useTurnOffTwoFactor() {
  return useMutation({
    mutationKey: CHANGING,
    mutationFn: (body: Proof) => request('turnOffTwoFactor', { body }),
    onSettled: useRefetch(),
  })
}

export function useMakeRecoveryCodes() {
  return useMutation({
    mutationKey: CHANGING,
    mutationFn: (body: Proof) => request('makeRecoveryCodes', { body }),
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
