import { WORLD_ENTRIES_MAX, type WorldEntries } from '#contract/world.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import { listNewestEntries } from '#server/entries/service.ts'
import type { Parts } from '#server/parts.ts'
import { demandPublic } from './pages.ts'
import { presentPublicProject } from './present.ts'
import { listStops } from './store.ts'

/** How much HTML a feed has at most, in characters. */
const HTML_MAX = 500_000

/** The newest entries of a public project, with the titles of their milestones. Throws `not_found` unless it is public. */
export function listWorldEntries(parts: Parts, projectId: string): Promise<WorldEntries> {
  return inSnapshot(parts.db, async (db) => {
    const project = await demandPublic(db, projectId)
    const titles = new Map((await listStops(db, projectId)).map(({ id, title }) => [id, title]))
    const entries = await listNewestEntries({ ...parts, db }, null, projectId, {
      limit: WORLD_ENTRIES_MAX,
      htmlMax: HTML_MAX,
    })
    return {
      project: presentPublicProject(project),
      entries: entries.map((entry) => ({ ...entry, milestoneTitle: titles.get(entry.milestone) ?? '' })),
    }
  })
}
