import type { World } from '#contract/world.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import { listProjectEntries } from '#server/entries/service.ts'
import { listMilestones } from '#server/milestones/service.ts'
import type { Parts } from '#server/parts.ts'
import { notFound } from '#server/platform/errors.ts'
import { readProject } from '#server/projects/service.ts'
import { presentWorld } from './present.ts'
import { findOwnerName } from './store.ts'

/** A public project with all it holds, in one consistent view. Throws `not_found` unless it is public. */
export function readWorld(parts: Parts, projectId: string): Promise<World> {
  return inSnapshot(parts.db, async (db) => {
    const within = { ...parts, db }
    const project = await readProject(within, null, projectId)
    const ownerName = await findOwnerName(db, projectId)
    if (!project.isPublic || ownerName === undefined) throw notFound('Project')
    const milestones = await listMilestones(within, null, projectId)
    const entries = await listProjectEntries(within, null, projectId)
    return presentWorld(project, ownerName, milestones, entries)
  })
}
