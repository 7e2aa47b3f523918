import type { AppDeps } from '#server/deps.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { hasUnrendered, listUnrendered, saveRendering } from './rendering-store.ts'

type Deps = Pick<AppDeps, 'db' | 'renderer'>
type Pace = { batch: number; shiftMs: number }
type Batch = { after: string | null }

/** One job does as much as it can within its time, and leaves the rest to a next one. */
const PACE: Pace = { batch: 20, shiftMs: 60_000 }

/** In whose name the renderer works for this, one text a turn. */
const RERENDERING = 'rerendering'

/**
 * Renders the entries whose rendering is missing or of an older renderer, in a job, so that of several servers one does
 * it and a server that ends leaves the rest to the next. Where there are none, nothing is started. Returns a function
 * that ends the work after the text in hand.
 */
export async function startRerendering(
  deps: Deps & { jobs: Jobs },
  pace = PACE,
): Promise<() => Promise<void>> {
  const { db, jobs } = deps
  const ended = new AbortController()
  if (!(await hasUnrendered(db))) return async () => {}
  const queue = await jobs.queue<Batch>(
    'entry-renderings',
    async ({ after }) => {
      const last = await renderBatch(deps, after, ended.signal, pace)
      if (last !== null) await add(last)
    },
    { alone: true },
  )
  const add = (after: string | null) => db.transaction().execute((trx) => queue.add(trx, { after }))
  await add(null)
  queue.wake()
  return async () => ended.abort()
}

/** Renders for a while. Returns the last entry that it came to, or null when it came to the end. */
async function renderBatch(
  { db, renderer }: Deps,
  after: string | null,
  ended: AbortSignal,
  { batch, shiftMs }: Pace,
): Promise<string | null> {
  const until = performance.now() + shiftMs
  let last = after
  for (;;) {
    const entries = await listUnrendered(db, last, batch)
    for (const entry of entries) {
      await saveRendering(db, entry, await renderer.render(RERENDERING, entry.content))
      last = entry.id
      if (ended.aborted || performance.now() > until) return last
    }
    if (entries.length < batch) return null
  }
}
