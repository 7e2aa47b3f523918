import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Account } from '#contract/account.ts'
import type { NotificationPreferences } from '#contract/notifications.ts'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { useSession } from '#web/identity/session.tsx'
import { eachShown, type ShownChange, showing, useShownQuery } from '#web/saving/overlay.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request('readAccount', {}, { signal }),
  meta: showing(eachShown(withPreferences)),
})

type PreferencesChange = Partial<NotificationPreferences> & {
  unmuted?: NotificationPreferences['muted']
  unmutedEmails?: NotificationPreferences['mutedEmails']
}

function withPreferences(account: Account, change: ShownChange): Account {
  if (change.call !== 'updateNotificationPreferences') return account
  const { notifications } = account
  const {
    muted = [],
    unmuted = [],
    mutedEmails = [],
    unmutedEmails = [],
    ...others
  } = change.body as PreferencesChange
  const listed = <T>(kinds: T[], more: T[], less: T[]) => [
    ...kinds.filter((kind) => !more.includes(kind) && !less.includes(kind)),
    ...more,
  ]
  const chosen = {
    ...others,
    muted: listed(notifications.muted, muted, unmuted),
    mutedEmails: listed(notifications.mutedEmails, mutedEmails, unmutedEmails),
  }
  return { ...account, notifications: change.answer?.notifications ?? { ...notifications, ...chosen } }
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request('listSessions', {}, { signal }),
})

const deletionQuery = queryOptions({
  queryKey: ['account', 'deletion'],
  queryFn: ({ signal }) => request('previewDeletion', {}, { signal }),
})

/** Fetches the current consequences of deleting the account, because others join and leave projects. */
export function useDeletionPreview() {
  return useQuery({ ...deletionQuery, refetchOnMount: 'always', gcTime: 0 })
}

/** The user's own account. Changes made in another tab are shown in the whole page. */
export function useAccount() {
  const { user, updateUser } = useSession()
  // The storage changes with every entry and file, which publishes no event of the account.
  const query = useShownQuery({ ...accountQuery, refetchOnMount: 'always' })
  const { data, dataUpdatedAt } = query
  const show = useEffectEvent(() => {
    if (data && (data.name !== user?.name || data.email !== user.email)) updateUser(data)
  })
  useEffect(() => {
    // The session's data may be newer than what was fetched before it.
    if (dataUpdatedAt > 0) show()
  }, [dataUpdatedAt])
  useFailureToast(query.error, 'Failed to fetch your account')
  return query
}

/** The sessions of the user. */
export function useSessions() {
  const query = useQuery({ ...sessionsQuery, refetchOnMount: 'always' })
  useFailureToast(query.error, 'Failed to fetch your sessions')
  return query
}
