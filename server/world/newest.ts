import type { Entry } from '#contract/entries.ts'
import { WORLD_ENTRIES_MAX, type WorldEntries } from '#contract/world.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { listNewestEntries } from '#server/entries/service.ts'
import { demandPublic } from './pages.ts'
import { presentPublicProject } from './present.ts'
import { listStops, type PublicProject } from './store.ts'

/** How much HTML a feed has at most, in characters. */
const HTML_MAX = 500_000

/** The newest entries of a public project, with the titles of their milestones. Throws `not_found` unless it is public. */
export function listWorldEntries(deps: AppDeps, projectId: string): Promise<WorldEntries> {
  return inSnapshot(deps.db, async (db) => {
    const project = await demandPublic(db, projectId)
    const titles = new Map((await listStops(db, projectId)).map(({ id, title }) => [id, title]))
    const entries = await listNewestEntries({ ...deps, db }, null, projectId, {
      limit: WORLD_ENTRIES_MAX,
      htmlMax: HTML_MAX,
    })
    return {
      project: presentPublicProject(project),
      changedAt: lastChange(project, entries),
      entries: entries.map((entry) => ({ ...entry, milestoneTitle: titles.get(entry.milestone) ?? '' })),
    }
  })
}

/** Of a project that has not changed since that is written down, its entries tell. */
function lastChange({ changed_at, updated_at }: PublicProject, entries: Entry[]): string {
  const known = changed_at ?? updated_at
  const dates = entries.map(({ updatedAt }) => updatedAt)
  return [known.toISOString(), ...dates].toSorted().at(-1) ?? known.toISOString()
}
