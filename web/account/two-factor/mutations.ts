import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountQuery, sessionsQuery } from '#web/account/queries.ts'
import { ApiError, isUncertain } from '#web/api/api-error.ts'
import { exchange, request } from '#web/api/client.ts'

/** The mutation key of changes of two-step sign-in. */
export const twoFactorMutationKey = ['account', 'two-factor']

/** Fetches a secret for an authenticator app. The forms show the refusals of this and the other mutations. */
export function useBeginTwoFactor() {
  return useMutation({
    mutationFn: (currentPassword: string) => request('beginTwoFactor', { body: { currentPassword } }),
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

type Proof = { currentPassword: string; code: string }

export function useTurnOffTwoFactor() {
  return useMutation({
    mutationKey: twoFactorMutationKey,
    mutationFn: (body: Proof) => request('turnOffTwoFactor', { body }),
    onSettled: useRefetch(),
  })
}

/** The emails of the accounts whose recovery codes may have been replaced by others that were never shown. */
const unseen = new Set<string>()

const MAY_BE_REPLACED =
  'This code is not correct. The previous attempt may have created new recovery codes; the codes that you have then no longer work, but a code from your app does.'

/** Creates new recovery codes for the account with an email. They are not stored, so they are lost with the response. */
export function useMakeRecoveryCodes(email: string) {
  return useMutation({
    mutationKey: twoFactorMutationKey,
    mutationFn: (body: Proof) => makeRecoveryCodes(email, body),
    onSettled: useRefetch(),
  })
}

/**
 * Throws ApiError. If it refuses the code after an attempt whose response was lost, its message explains what may have happened.
 */
export async function makeRecoveryCodes(email: string, body: Proof) {
  try {
    const made = await request('makeRecoveryCodes', { body })
    unseen.delete(email)
    return made
  } catch (error) {
    if (isUncertain(error)) unseen.add(email)
    if (!(error instanceof ApiError) || !unseen.has(email)) throw error
    const { status, code, message } = error
    const issues = error.issues.map((issue) =>
      issue.path === 'code' ? { ...issue, message: MAY_BE_REPLACED } : issue,
    )
    throw new ApiError(status, code, message, { ...error, issues }, { cause: error })
  }
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
