import {
  type DefaultError,
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { ChangingCallName, ClientCalls } from '#contract/calls.ts'
import type { CallInput, CallResponse } from '#contract/parts/call.ts'
import { isolateBidi } from '#contract/parts/characters.ts'
import { pendingChanges } from './pending.ts'
import type { ChangeRecord } from './record.ts'

/** The version of something that is shown before the server has it. */
export const UNSAVED = 0

/** Whether this is shown before the server has it, so that no request can refer to it yet. */
export const isUnsaved = ({ version }: { version: number }): boolean => version === UNSAVED

/** A change that fetched data may lack: it is pending, or was just made, then with the answer of the server. */
export type ShownChange = {
  [N in ChangingCallName]: CallInput<ClientCalls[N]> & {
    call: N
    thing: string
    base: number
    answer?: CallResponse<ClientCalls[N]>
  }
}[ChangingCallName]

/** Returns what fetched data looks like once changes are made; the same object, if it does not show them. Data may have them already. */
export type Overlay<T> = (data: T, changes: readonly ShownChange[], client: QueryClient) => T

/** Returns the `meta` of a query whose data shows pending changes, if a screen reads it by `useShownQuery`. */
export const showing = <T>(overlay: Overlay<T>): { overlay: Overlay<T> } => ({ overlay })

/** Returns an overlay that shows one change after the other. */
export const eachShown =
  <T>(show: (data: T, change: ShownChange, client: QueryClient) => T): Overlay<T> =>
  (data, changes, client) =>
    changes.reduce((shown, change) => show(shown, change, client), data)

const NONE: readonly ChangeRecord[] = []
const asShown = (records: readonly ChangeRecord[]) => records as unknown as readonly ShownChange[]

/** Like `useQuery`, for a query whose `meta` is `showing` something: its data has the pending changes. */
export function useShownQuery<T, K extends QueryKey>(
  options: UseQueryOptions<T, DefaultError, T, K>,
): UseQueryResult<T> {
  const client = useQueryClient()
  const records = useSyncExternalStore(pendingChanges.subscribe, pendingChanges.readShown, () => NONE)
  const overlay = options.meta?.overlay as Overlay<T> | undefined
  const select = useCallback(
    (data: T) => (overlay && records.length > 0 ? overlay(data, asShown(records), client) : data),
    [overlay, records, client],
  )
  return useQuery({ ...options, select })
}

/**
 * Shows the answers of changes in all data of this client. A query that is being fetched is fetched again, because what it gets may be older.
 * Returns the function that ends that.
 */
export function showAnswersIn(client: QueryClient): () => void {
  pendingChanges.onAnswer = (record, answer) => {
    const changes = asShown([{ ...record, answer } as ChangeRecord])
    const changed = client
      .getQueryCache()
      .getAll()
      .flatMap((query) => {
        const overlay = query.meta?.overlay as Overlay<unknown> | undefined
        const { data } = query.state
        const next = overlay && data !== undefined ? overlay(data, changes, client) : data
        return next === data ? [] : [{ query, next }]
      })
    for (const { query, next } of changed) {
      const isFetching = query.state.fetchStatus === 'fetching'
      client.setQueryData(query.queryKey, next)
      if (isFetching) void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
  }
  return () => {
    pendingChanges.onAnswer = () => {}
  }
}

/** Returns why a thing is not saved yet, if that lasts: its change waits for the connection, or for that of something else. */
export function useDelay(thing: string): string | undefined {
  const read = () => {
    const delayed = pendingChanges
      .read()
      .find(({ record, state }) => record.thing === thing && (state === 'waiting' || state === 'blocked'))
    if (!delayed) return undefined
    const title = delayed.blockedBy?.body?.title
    return typeof title === 'string' ? `Waits for “${isolateBidi(title)}”` : 'Waiting for the connection'
  }
  return useSyncExternalStore(pendingChanges.subscribe, read, () => undefined)
}
