import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { Account, Session } from '#contract/account.ts'
import { accessTokensQuery } from '#web/access-tokens/queries.ts'
import { isUncertain } from '#web/api/api-error.ts'
import { exchange, request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { withRetries } from '#web/saving/secret.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useStoredAccount } from './mutations.ts'
import { accountQuery, sessionsQuery } from './queries.ts'

/** Changes the password; the form shows refusals. */
export function useChangePassword() {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['account', 'password'],
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      exchange('changePassword', { body }),
    onSuccess: () =>
      Promise.all(
        [sessionsQuery, accessTokensQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
      ),
  })
}

/**
 * Requests a change of the email; the form shows refusals. A repetition would send other links, so if the response is lost, the
 * account shows whether the change was requested; if it cannot be fetched, the next press checks it.
 */
export function useChangeEmail() {
  const client = useQueryClient()
  const store = useStoredAccount()
  const lost = useRef<string>(undefined)

  /** Returns the account if a change to this email is pending. */
  async function findAsked(email: string): Promise<Account | undefined> {
    const account = await withRetries(() => request('readAccount', {}))
    return account.emailChange?.email === email.toLowerCase() ? account : undefined
  }

  return useChange({
    mutationKey: ['account', 'email'],
    async mutationFn(body: { email: string; currentPassword: string }) {
      const asked = lost.current === body.email ? await findAsked(body.email) : undefined
      lost.current = undefined
      if (asked) return asked
      try {
        return await exchange('changeEmail', { body })
      } catch (error) {
        if (!isUncertain(error)) throw error
        lost.current = body.email
        const found = await findAsked(body.email).catch(() => undefined)
        if (!found) throw error
        return found
      }
    },
    onSuccess: (account) => void store(account),
    // Another tab may have changed it in the meantime.
    onError: () => void client.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
  })
}

/** Cancels the pending change of the email of an account with an email. */
export function useCancelEmailChange() {
  const client = useQueryClient()
  const store = useStoredAccount()
  return useChange({
    mutationKey: ['account', 'email', 'cancel'],
    async mutationFn(_shown: string) {
      const read = () => request('readAccount', {})
      await change('cancelEmailChange', {})
      // Another tab may have confirmed it before. If that cannot be fetched, the settings show so when they refetch it.
      return read().catch(() => undefined)
    },
    onSuccess(account, shown) {
      if (!account || !store(account)) return
      if (account.email !== shown)
        toast.info(`It is too late to cancel: your address is ${account.email} now`)
      else if (!account.emailChange) toast.success('Your address stays as it is')
    },
    onError: (error) => toastError(error, 'Failed to cancel the change'),
    onSettled: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
}

/** Signs out one session. */
export function useEndSession() {
  return useEnding(
    ({ _id }: Session) => change('endSession', { params: { sessionId: _id } }),
    ({ device }) => `Signed out ${device}`,
  )
}

/** Signs out every session but this one. */
export function useEndOtherSessions() {
  return useEnding(
    (_input: void) => change('endOtherSessions', {}),
    () => 'Signed out everywhere else',
  )
}

function useEnding<Input>(end: (input: Input) => Promise<void>, saidOf: (input: Input) => string) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['end sessions', useId()],
    mutationFn: end,
    onSuccess: (_result, input) => toast.success(saidOf(input)),
    onError: (error) => toastError(error, 'Failed to sign out'),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
