import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { PeopleFilter } from '#contract/people.ts'
import { request } from '#web/api/client.ts'

/** The key prefix of all data of the administration. */
export const administrationKey = ['administration'] as const

export const instanceQuery = queryOptions({
  queryKey: [...administrationKey, 'instance'],
  queryFn: ({ signal }) => request('readInstance', {}, { signal }),
})

/** The accounts, newest first, page by page. */
export const peopleQuery = (search: string, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: [...administrationKey, 'people', search, filter],
    queryFn: ({ pageParam, signal }) =>
      request('listPeople', { query: { search, filter, before: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

export const invitationsQuery = queryOptions({
  queryKey: [...administrationKey, 'invitations'],
  queryFn: ({ signal }) => request('listServerInvitations', {}, { signal }),
})

/** The actions of administrators, latest first, page by page. */
export const auditQuery = infiniteQueryOptions({
  queryKey: [...administrationKey, 'audit'],
  queryFn: ({ pageParam, signal }) => request('listAuditLog', { query: { before: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
})

/** The terms written by administrators. */
export const termsQuery = queryOptions({
  queryKey: [...administrationKey, 'terms'],
  queryFn: ({ signal }) => request('readTerms', {}, { signal }),
})

export const failedJobsQuery = queryOptions({
  queryKey: [...administrationKey, 'failed-jobs'],
  queryFn: ({ signal }) => request('listFailedJobs', {}, { signal }),
})
