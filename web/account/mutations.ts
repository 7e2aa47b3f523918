import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { Account, SharedProject } from '#contract/account.ts'
import type { ClientCalls } from '#contract/calls.ts'
import type { NotificationPreferences, NotificationType } from '#contract/notifications.ts'
import type { CallInput } from '#contract/parts/call.ts'
import type { DateFormat } from '#contract/parts/date-formats.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { useSession } from '#web/identity/session.tsx'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { accountQuery } from './queries.ts'

/** Changes the user's name, here and wherever it is shown. */
export function useRename() {
  const show = useShownPerson()
  return useChange({
    mutationKey: ['account', 'name'],
    mutationFn: (name: string) => change('updateAccount', { body: { name } }),
    onSuccess: (account) => show(account, 'Name saved'),
    onError: (error) => toastError(error, 'Failed to save your name'),
  })
}

/** Changes of the picture run one after the other: a removal that overtakes an upload would be undone by it. */
const pictureScope = { id: 'account/picture' }

/** Uploads a file as the user's picture; the section shows refusals. */
export function useUpdatePicture() {
  const show = useShownPerson()
  return useMutation({
    scope: pictureScope,
    mutationFn: (image: File) => change('updatePicture', { body: { image } }),
    onSuccess: (account) => show(account, 'Picture saved'),
  })
}

/** Removes the user's picture. */
export function useRemovePicture() {
  const show = useShownPerson()
  return useChange({
    mutationKey: ['account', 'picture', 'remove'],
    scope: pictureScope,
    async mutationFn(_input: void) {
      await change('removePicture', {})
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
export function useStoredAccount() {
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

type Muting = { list: keyof typeof unmuting; type: NotificationType; isMuted: boolean }

const unmuting = { muted: 'unmuted', mutedEmails: 'unmutedEmails' } as const

/** Turns notifications of a type on or off. */
export function useMuteNotifications() {
  const choose = useChoosePreferences()
  return ({ list, type, isMuted }: Muting) => choose({ [isMuted ? list : unmuting[list]]: [type] })
}

type NewsEmails = Partial<Pick<NotificationPreferences, 'newsHour' | 'emailsMentions'>>

/** Chooses the emails with news. */
export const useChooseNewsEmails = (): ((choice: NewsEmails) => void) => useChoosePreferences()

function useChoosePreferences() {
  const client = useQueryClient()
  return useChange({
    mutationFn: (body: CallInput<ClientCalls['updateNotificationPreferences']>['body']) =>
      change('updateNotificationPreferences', { body }),
    onError: (error) => toastError(error, 'Failed to save your notification settings'),
    onSettled: () => void client.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }),
  }).mutate
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
    mutationFn: (body: DateChoice) => change('updateDatePreferences', { body }),
    onSuccess: (account) => void store(account),
    onError: (error) => toastError(error, 'Failed to save your date settings'),
  })
}

type NewOwner = { _id: string; name: string }

/** Transfers a project to a member. */
export function useTransferProject(project: SharedProject) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['transfer', project._id],
    mutationFn: (newOwner: NewOwner) =>
      change('transferProject', { params: { projectId: project._id }, body: { collaborator: newOwner._id } }),
    onSuccess: (_result, newOwner) => toast.success(`${project.title} belongs to ${newOwner.name} now`),
    onError: (error) => toastError(error, 'Failed to transfer project'),
    onSettled: () => client.invalidateQueries(),
  })
}

/** The mutation key of the deletion of the account. */
export const deletionMutationKey = ['account', 'deletion']

/** Requests the deletion of the account; the form shows refusals. */
export function useDeleteAccount() {
  return useChange({
    mutationKey: deletionMutationKey,
    mutationFn: (email: string) => request('deleteAccount', { body: { email } }),
  })
}
