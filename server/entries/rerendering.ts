import type { AppDeps } from '#server/deps.ts'
import type { Jobs } from '#server/platform/jobs.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { hasUnrendered, listUnrendered, saveRendering } from './rendering-store.ts'

type Deps = Pick<AppDeps, 'db' | 'renderer'>
type Pace = { batch: number; shiftMs: number }
type Batch = { after: string | null }

/** The time after which a job stops rendering and leaves the rest to the next job. */
const PACE: Pace = { batch: 20, shiftMs: 60_000 }

/** The client name of this job in the queue of the renderer, with one text per turn. */
const RERENDERING = clientNamed('rerendering')

/**
 * Renders the entries whose rendering is missing or made by an older renderer. It runs in a job, so that only one of
 * several servers does it, and another resumes when that one stops. No job starts if there are no such entries.
 * Returns a function that stops the work after the current text.
 */
export async function startRerendering(
  deps: Deps & { jobs: Jobs },
  pace = PACE,
): Promise<() => Promise<void>> {
  const { db, jobs } = deps
  const ended = new AbortController()
  if (!(await hasUnrendered(db))) return async () => {}
  const queue = await jobs.queue<Batch>('entry-renderings', async ({ after }) => {
    const last = await renderBatch(deps, after, ended.signal, pace)
    if (last !== null) await add(last)
  })
  const add = (after: string | null) => db.transaction().execute((trx) => queue.add(trx, { after }))
  await add(null)
  queue.wake()
  return async () => ended.abort()
}

/** Renders for the time of one job. Returns the id of the last entry, or null at the end. */
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
