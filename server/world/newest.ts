import { WORLD_ENTRIES_MAX, type WorldEntries } from '#contract/world.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import { listNewestEntries } from '#server/entries/service.ts'
import type { Parts } from '#server/parts.ts'
import { demandPublic } from './pages.ts'
import { presentPublicProject } from './present.ts'
import { listStops } from './store.ts'

/** The newest entries of a public project, with the titles of their milestones. Throws `not_found` unless it is public. */
export function listWorldEntries(parts: Parts, projectId: string): Promise<WorldEntries> {
  return inSnapshot(parts.db, async (db) => {
    const project = await demandPublic(db, projectId)
    const titles = new Map((await listStops(db, projectId)).map(({ id, title }) => [id, title]))
    const entries = await listNewestEntries({ ...parts, db }, null, projectId, WORLD_ENTRIES_MAX)
    return {
      project: presentPublicProject(project),
      entries: entries.map((entry) => ({ ...entry, milestoneTitle: titles.get(entry.milestone) ?? '' })),
    }
  })
}
