import type { QueryClient, QueryKey } from '@tanstack/react-query'

const MARK = 'unsaved-'
let lastUnsaved = 0

/** A stand-in for the id that the server will give. */
export function unsavedId(): string {
  lastUnsaved += 1
  return MARK + lastUnsaved
}

/** Whether the server has not answered yet for this one, so that nothing can be asked about it. */
export function isUnsaved({ _id }: { _id: string }): boolean {
  return _id.startsWith(MARK)
}

/**
 * Shows a change before the server has answered: rewrites the data cached under a key, if there is any, and keeps a
 * running fetch from writing over it. The function it returns puts back what was there.
 */
export async function changeOptimistically<T>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (data: T, key: QueryKey) => T,
): Promise<() => void> {
  await client.cancelQueries({ queryKey })
  const before = client.getQueriesData<T>({ queryKey })
  for (const [key, data] of before) {
    if (data !== undefined) client.setQueryData<T>(key, change(data, key))
  }
  return () => {
    for (const [key, data] of before) client.setQueryData<T>(key, data)
  }
}

/**
 * Has data read again once the last change of its kind is answered; mutations carry the key of what they change.
 * Earlier, the answer would not know of the changes still on their way and take them off the screen.
 */
export function refresh(client: QueryClient, key: QueryKey): void {
  if (client.isMutating({ mutationKey: key }) <= 1) void client.invalidateQueries({ queryKey: key })
}
