import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { Account, Session, SharedProject } from '#contract/account.ts'
import type { DateFormat } from '#contract/date-formats.ts'
import type { NotificationPreferences, NotificationType } from '#contract/notifications.ts'
import { accessTokensQuery } from '#web/access-tokens/queries.ts'
import { change, isUncertain, withRetries } from '#web/api/change.ts'
import { exchange, request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { useSession } from '#web/identity/session.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { accountQuery, sessionsQuery } from './queries.ts'

/** Changes the user's name, here and wherever it is shown. */
export function useRename() {
  const show = useShownPerson()
  return useMutation({
    async mutationFn(name: string) {
      const isDone = async () => (await request('readAccount', {})).name === name
      const changed: Account | undefined = await change('updateAccount', { body: { name } }, { isDone })
      return changed ?? request('readAccount', {})
    },
    onSuccess: (account) => show(account, 'Name saved'),
    onError: (error) => toastError(error, 'Failed to save your name'),
  })
}

/** Changes the password; the form shows refusals. */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      exchange('changePassword', { body }),
    onSuccess: () =>
      Promise.all(
        [sessionsQuery, accessTokensQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
      ),
  })
}

const MUTING = ['account', 'notifications']

/** Changes of the picture run one after the other: a removal that overtakes an upload would be undone by it. */
const pictureScope = { id: 'account/picture' }

/** Uploads a file as the user's picture; the section shows refusals. */
export function useUpdatePicture() {
  const client = useQueryClient()
  const show = useShownPerson()
  return useMutation({
    scope: pictureScope,
    async mutationFn(image: File) {
      const before = client.getQueryData(accountQuery.queryKey)?.photoURL
      const isDone = async () => (await request('readAccount', {})).photoURL !== before
      const changed: Account | undefined = await change('updatePicture', { body: { image } }, { isDone })
      return changed ?? request('readAccount', {})
    },
    onSuccess: (account) => show(account, 'Picture saved'),
  })
}

/** Removes the user's picture. */
export function useRemovePicture() {
  const show = useShownPerson()
  return useMutation({
    scope: pictureScope,
    async mutationFn(_input: void) {
      await change(
        'removePicture',
        {},
        { isDone: async () => !(await request('readAccount', {})).photoURL?.startsWith('/') },
      )
      return request('readAccount', {})
    },
    onSuccess: (account) => show(account),
    onError: (error) => toastError(error, 'Failed to remove your picture'),
  })
}

/**
 * Returns a function that caches the current account, and returns whether it belongs to the signed-in person: a response may
 * arrive after somebody else has signed in, who must not see it.
 */
function useStoredAccount() {
  const client = useQueryClient()
  const { updateUser } = useSession()
  return (account: Account): boolean => {
    const isMine = updateUser(account)
    if (isMine) client.setQueryData(accountQuery.queryKey, account)
    return isMine
  }
}

/** Returns a function that updates the cached account and everything that shows the person. */
function useShownPerson() {
  const client = useQueryClient()
  const store = useStoredAccount()
  return (account: Account, text?: string) => {
    if (!store(account)) return undefined
    if (text !== undefined) toast.success(text)
    return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'account' })
  }
}

type Muting = { list: keyof NotificationPreferences; kind: NotificationType; isMuted: boolean }

/**
 * Turns notifications of a kind on or off: optimistically on the screen, and sequentially on the server. Each change is based on
 * the current list of the server, because another tab may have changed other kinds.
 */
export function useMuteNotifications() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: MUTING,
    scope: { id: MUTING.join('/') },
    async mutationFn(muting: Muting) {
      const read = async () => (await request('readAccount', {})).notifications
      const { list, kind, isMuted } = muting
      return change(
        'updateNotificationPreferences',
        { body: withMuting(await read(), muting) },
        { isDone: async () => (await read())[list].some((other) => other === kind) === isMuted },
      )
    },
    changes: (muting) => [
      changeCached(accountQuery.queryKey, (account: Account) => ({
        ...account,
        notifications: { ...account.notifications, ...withMuting(account.notifications, muting) },
      })),
    ],
    onFailure: (error) => toastError(error, 'Failed to save your notification settings'),
    // Only the last change refetches the result.
    onSettled: () =>
      client.isMutating({ mutationKey: MUTING }) === 1
        ? client.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true })
        : undefined,
  })
}

/** Returns a list of muted kinds with or without one of them. */
function withMuting(preferences: NotificationPreferences, { list, kind, isMuted }: Muting) {
  const others = preferences[list].filter((other) => other !== kind)
  return { [list]: isMuted ? [...others, kind] : others }
}

type DateChoice = { timeZone?: string | null; dateFormat?: DateFormat | null }

const DATES = ['account', 'dates']

/** Returns the date settings that are being saved, which a form shows in place of the stored ones. */
export function useDatesBeingSaved(): DateChoice {
  const choices = useMutationState({
    filters: { mutationKey: DATES, status: 'pending' },
    select: ({ state }) => state.variables as DateChoice,
  })
  return Object.assign({}, ...choices)
}

/** Changes the user's date settings; this tab shows dates by them once they are saved. */
export function useChooseDates() {
  const store = useStoredAccount()
  return useMutation({
    mutationKey: DATES,
    scope: { id: DATES.join('/') },
    async mutationFn(body: DateChoice) {
      const isDone = async () => {
        const { timeZone = null, dateFormat = null } = await request('readAccount', {})
        const { timeZone: sentZone = timeZone, dateFormat: sentFormat = dateFormat } = body
        return timeZone === sentZone && dateFormat === sentFormat
      }
      const changed: Account | undefined = await change('updateDatePreferences', { body }, { isDone })
      return changed ?? request('readAccount', {})
    },
    onSuccess: (account) => void store(account),
    onError: (error) => toastError(error, 'Failed to save your date settings'),
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

  return useMutation({
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
  return useMutation({
    async mutationFn(_shown: string) {
      const read = () => request('readAccount', {})
      await change('cancelEmailChange', {}, { isDone: async () => (await read()).emailChange === undefined })
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

const roleIn = async (projectId: string) => (await request('readPermissions', { params: { projectId } })).role

type NewOwner = { _id: string; name: string }

/** Transfers a project to a member. */
export function useTransferProject(project: SharedProject) {
  const client = useQueryClient()
  const mutationKey = ['transfer', project._id]
  const mutation = useMutation({
    mutationKey,
    mutationFn: (newOwner: NewOwner) =>
      change(
        'transferProject',
        { params: { projectId: project._id }, body: { collaborator: newOwner._id } },
        { isDone: async () => (await roleIn(project._id)) !== 'owner' },
      ),
    onSuccess: (_result, newOwner) => toast.success(`${project.title} belongs to ${newOwner.name} now`),
    onError: (error) => toastError(error, 'Failed to transfer project'),
    onSettled: () => client.invalidateQueries(),
  })
  return {
    ...mutation,
    /** Ignores a second press that comes before the first one has been rendered. */
    transfer: (newOwner: NewOwner) => {
      if (client.isMutating({ mutationKey }) === 0) mutation.mutate(newOwner)
    },
  }
}

/** The mutation key of the deletion of the account. */
export const deletionMutationKey = ['account', 'deletion']

/** Requests the deletion of the account; the form shows refusals. */
export function useDeleteAccount() {
  return useMutation({
    mutationKey: deletionMutationKey,
    mutationFn: (body: { currentPassword?: string; email?: string }) => request('deleteAccount', { body }),
  })
}

/** Returns a function that checks whether one session, or every other one, was signed out. */
const areEnded = (id?: string) => async () =>
  (await request('listSessions', {})).every(({ _id, isCurrent }) => (id ? _id !== id : isCurrent))

/** Signs out one session. */
export function useEndSession() {
  return useEnding(
    ({ _id }: Session) => change('endSession', { params: { sessionId: _id } }, { isDone: areEnded(_id) }),
    ({ device }) => `Signed out ${device}`,
  )
}

/** Signs out every session but this one. */
export function useEndOtherSessions() {
  return useEnding(
    (_input: void) => change('endOtherSessions', {}, { isDone: areEnded() }),
    () => 'Signed out everywhere else',
  )
}

function useEnding<Input>(end: (input: Input) => Promise<void>, saidOf: (input: Input) => string) {
  const client = useQueryClient()
  const mutationKey = ['end sessions', useId()]
  const mutation = useMutation({
    mutationKey,
    mutationFn: end,
    onSuccess: (_result, input) => toast.success(saidOf(input)),
    onError: (error) => toastError(error, 'Failed to sign out'),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return {
    ...mutation,
    /** Ignores a second press that comes before the first one has been rendered. */
    mutate: (input: Input) => {
      if (client.isMutating({ mutationKey }) === 0) mutation.mutate(input)
    },
  }
}
