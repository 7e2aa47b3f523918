import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Card, CardCover } from './picture/card.ts'
import { presentPublicProject } from './present.ts'
import { requirePublic } from './service.ts'
import { findEntryPosition, listMilestoneSummaries } from './store.ts'

/** What the picture of a public project shows. Throws `not_found` unless it is one. */
export function readProjectCard({ db }: Pick<AppDeps, 'db'>, projectId: string): Promise<Card> {
  return inSnapshot(db, async (snapshot) => {
    const project = await requirePublic(snapshot, projectId)
    const { title, progress, user } = presentPublicProject(project)
    const stops = await trailOf(snapshot, projectId, null)
    return { kind: 'project', title, ownerName: user.name, progress, stops, cover: cardCover(project) }
  })
}

/** What the picture of an entry of a public project shows. Throws `not_found` unless it is one. */
export function readEntryCard(
  { db }: Pick<AppDeps, 'db'>,
  { projectId, entryId }: { projectId: string; entryId: string },
): Promise<Card> {
  return inSnapshot(db, async (snapshot) => {
    const project = presentPublicProject(await requirePublic(snapshot, projectId))
    const position = await findEntryPosition(snapshot, projectId, entryId)
    if (!position) throw notFound('Entry')
    return {
      kind: 'entry',
      title: position.title,
      projectTitle: project.title,
      milestoneTitle: position.milestone_title,
      ownerName: project.user.name,
      stops: await trailOf(snapshot, projectId, position.milestone_id),
      cover: cardCover(position),
    }
  })
}

function cardCover({ cover, image_id }: { cover: { id: string } | null; image_id?: string | null }) {
  if (cover) return { of: 'file', id: cover.id } satisfies CardCover
  return image_id ? ({ of: 'image', id: image_id } satisfies CardCover) : null
}

async function trailOf(db: Db, projectId: string, currentId: string | null) {
  const milestones = await listMilestoneSummaries(db, projectId)
  return milestones.map(({ id, completed }) => ({ completed, current: id === currentId }))
}
