/** How long a query waits for the one before it, so that one without a response holds up no other. */
const WAIT_MS = 20

/**
 * Returns a loader that loads the keys requested within one turn of the event loop, or while a query of its own is running and its
 * results are sent, with one query. Nothing is cached: a query begins after its keys were requested, so no result is older than its request.
 */
export function createBatchLoader<Value>(
  query: (keys: readonly string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | null> {
  let batch: { keys: Set<string>; found: Promise<Map<string, Value>> } | undefined
  let running: Promise<void> | undefined

  async function find(keys: Set<string>) {
    if (running) {
      await running
      // What arrived while the results of that query were sent shares this one.
      await new Promise(setImmediate)
    }
    await new Promise(setImmediate)
    batch = undefined
    const found = query([...keys])
    const end = endOf(found).finally(() => {
      if (running === end) running = undefined
    })
    running = end
    return found
  }

  function begin() {
    const keys = new Set<string>()
    return { keys, found: find(keys) }
  }

  return async (key) => {
    batch ??= begin()
    batch.keys.add(key)
    return (await batch.found).get(key) ?? null
  }
}

/** Resolves when a query has ended, or has been running too long. */
function endOf(query: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WAIT_MS)
  const end = () => {
    clearTimeout(timer)
    resolve()
  }
  query.then(end, end)
  return promise
}
