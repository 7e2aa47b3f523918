import DataLoader from 'dataloader'

/**
 * Returns a loader that loads the keys requested within one turn of the event loop by one query. Nothing is cached:
 * a query begins only after its keys were asked for, so no result is older than the request for it.
 */
export function createBatchLoader<Value>(
  query: (keys: readonly string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | null> {
  const loader = new DataLoader<string, Value | null>(
    async (keys) => {
      const found = await query([...new Set(keys)])
      return keys.map((key) => found.get(key) ?? null)
    },
    { cache: false, batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
  )
  return (key) => loader.load(key)
}
