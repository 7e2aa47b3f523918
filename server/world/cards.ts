import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { notFound } from '#server/platform/errors.ts'
import { demandPublic } from './pages.ts'
import type { Card } from './picture/card.ts'
import { presentPublicProject } from './present.ts'
import { findEntryPlace, listStops } from './store.ts'

/** What the picture of a public project shows. Throws `not_found` unless it is one. */
export function readProjectCard({ db }: Pick<AppDeps, 'db'>, projectId: string): Promise<Card> {
  return inSnapshot(db, async (snapshot) => {
    const { title, progress, user } = presentPublicProject(await demandPublic(snapshot, projectId))
    const stops = await trailOf(snapshot, projectId, null)
    return { kind: 'project', title, ownerName: user.name, progress, stops }
  })
}

/** What the picture of an entry of a public project shows. Throws `not_found` unless it is one. */
export function readEntryCard(
  { db }: Pick<AppDeps, 'db'>,
  { projectId, entryId }: { projectId: string; entryId: string },
): Promise<Card> {
  return inSnapshot(db, async (snapshot) => {
    const project = presentPublicProject(await demandPublic(snapshot, projectId))
    const place = await findEntryPlace(snapshot, projectId, entryId)
    if (!place) throw notFound('Entry')
    return {
      kind: 'entry',
      title: place.title,
      projectTitle: project.title,
      milestoneTitle: place.milestone_title,
      ownerName: project.user.name,
      stops: await trailOf(snapshot, projectId, place.milestone_id),
    }
  })
}

async function trailOf(db: Db, projectId: string, currentId: string | null) {
  const stops = await listStops(db, projectId)
  return stops.map(({ id, completed }) => ({ completed, current: id === currentId }))
}
