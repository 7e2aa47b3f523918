import DataLoader from 'dataloader'

/**
 * Returns a loader that loads the keys requested within one turn of the event loop with one query. Nothing is cached: a query
 * begins after its keys were requested, so no result is older than its request. The library gives each caller its own error.
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
