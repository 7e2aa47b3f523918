import type { MilestoneSummary } from '#contract/milestones.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import type { CoverJson } from '#server/database/covers.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverFields, urlsFor } from '#server/files/present.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { factsOf, firstCover, lastCover, type MilestoneRef } from './summary-store.ts'

/** Returns how long a milestone of a project took that the caller may view, and what was written in it. Throws `not_found`. */
export function readMilestoneSummary(
  deps: AppDeps,
  caller: Caller | null,
  { projectId, milestoneId }: MilestoneRef,
): Promise<MilestoneSummary> {
  return inSnapshot(deps.db, async (db) => {
    const { isPublic } = await requireAccess(db, caller, 'project:view', { projectId })
    const facts = await factsOf.first(db, { projectId, milestoneId })
    if (!facts) throw notFound('Milestone')
    const [first, last] = [
      await firstCover.first(db, { milestoneId }),
      await lastCover.first(db, { milestoneId }),
    ]
    const urlOf = urlsFor(deps, isPublic ? null : caller)
    const imageOf = (row: { cover: CoverJson | null } | undefined) =>
      row?.cover ? coverFields(row.cover, urlOf).image : null
    const [one, other] = [imageOf(first), imageOf(last)]
    const end = facts.reached_at ?? deps.clock()
    return {
      days: Math.floor(Math.max(0, end.getTime() - facts.started_at.getTime()) / DAY_MS) + 1,
      entries: facts.entry_count,
      pictures: facts.pictures,
      // Of a single entry, or of two with the same cover, one picture is enough.
      images: [one, other?.smallURL === one?.smallURL ? null : other].filter((image) => image !== null),
    }
  })
}
