import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Card } from './picture/card.ts'
import { presentPublicProject } from './present.ts'
import { requirePublic, requirePublicEntry } from './service.ts'
import { listStops } from './store.ts'

/** Returns the content of a public project's share picture. Throws `not_found` unless the project is public. */
export function readProjectCard({ db }: Pick<AppDeps, 'db'>, projectId: string): Promise<Card> {
  return inSnapshot(db, async (snapshot) => {
    const project = await requirePublic(snapshot, projectId)
    const { title, progress, user } = presentPublicProject(project)
    return {
      kind: 'project',
      title,
      ownerName: user.name,
      progress,
      stops: await trailOf(snapshot, projectId),
      milestones: project.milestone_count,
      completed: project.completed_milestone_count,
      cover: project.cover?.id ?? null,
      projectId,
    }
  })
}

/** Returns the content of a public entry's share picture. Throws `not_found` unless the project is public. */
export function readEntryCard(
  { db }: Pick<AppDeps, 'db'>,
  { projectId, entryId }: { projectId: string; entryId: string },
): Promise<Card> {
  return inSnapshot(db, async (snapshot) => {
    const { project, position } = await requirePublicEntry(snapshot, { projectId }, entryId)
    const { title, user } = presentPublicProject(project)
    return {
      kind: 'entry',
      title: position.title,
      projectTitle: title,
      milestoneTitle: position.milestone_title,
      ownerName: user.name,
      stops: await trailOf(snapshot, projectId, position.milestone_id),
      cover: position.cover?.id ?? null,
      projectId,
    }
  })
}

async function trailOf(db: Db, projectId: string, currentId: string | null = null) {
  const stops = await listStops(db, projectId, currentId)
  return stops.map(({ completed, current }) => ({ completed, current }))
}
