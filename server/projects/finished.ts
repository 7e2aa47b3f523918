import { DAY_MS } from '#contract/parts/durations.ts'
import type { Finished } from '#contract/projects.ts'
import type { FinishedJson } from '#server/database/finished.ts'
import type { Db } from '#server/database/rows.ts'
import { finishedOf } from './store.ts'

/** Returns the summary of a project with only completed milestones; null for any other. */
export async function readFinished(db: Db, projectId: string): Promise<Finished | null> {
  const { finished } = (await finishedOf.first(db, { projectId })) ?? { finished: null }
  return presentFinished(finished)
}

export function presentFinished(facts: FinishedJson | null): Finished | null {
  if (!facts) return null
  const started = Date.parse(facts.started)
  const end = Math.max(started, facts.reached === null ? 0 : Date.parse(facts.reached))
  return {
    at: new Date(end).toISOString(),
    days: Math.floor((end - started) / DAY_MS) + 1,
    entries: facts.entries,
    pictures: facts.pictures,
  }
}
