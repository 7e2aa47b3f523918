/**
 * Returns a loader that loads the keys requested within one turn of the event loop with one query. Nothing is cached: a query
 * begins after its keys were requested, so no result is older than its request.
 */
export function createBatchLoader<Value>(
  query: (keys: readonly string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | null> {
  let batch: { keys: Set<string>; found: Promise<Map<string, Value>> } | undefined

  function begin() {
    const keys = new Set<string>()
    const found = new Promise(setImmediate).then(() => {
      batch = undefined
      return query([...keys])
    })
    return { keys, found }
  }

  return async (key) => {
    batch ??= begin()
    batch.keys.add(key)
    return (await batch.found).get(key) ?? null
  }
}
