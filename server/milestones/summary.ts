import { sql } from 'kysely'
import type { MilestoneSummary } from '#contract/milestones.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import { type CoverJson, coverOfEntry } from '#server/database/covers.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverFields, urlsFor } from '#server/files/present.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'

type MilestoneRef = { projectId: string; milestoneId: string }

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

type Facts = { started_at: Date; reached_at: Date | null; entry_count: number; pictures: number }

/** A milestone starts with its creation, or with what happened before it. */
const factsOf = prepared((db, { projectId, milestoneId }: MilestoneRef) => ({
  compile: () =>
    sql<Facts>`
      select least(m.created_at, (select min(happened_at) from live_entries where milestone_id = m.id)) as started_at,
        m.reached_at, m.entry_count, (
          select count(distinct u.file_id)::integer from live_entries e
          join file_uses u on u.entry_id = e.id join files f on f.id = u.file_id
          where e.milestone_id = m.id and f.kind = 'image' and f.state = 'ready') as pictures
      from live_milestones m where m.id = ${milestoneId} and m.project_id = ${projectId}`.compile(db),
}))

const covers = (db: Db, milestoneId: string, order: 'asc' | 'desc') =>
  db
    .selectFrom('live_entries as e')
    .select(coverOfEntry('e'))
    .where('e.milestone_id', '=', milestoneId)
    .where(sql<boolean>`(e.cover_file_id is not null or (not e.no_cover and e.first_picture_id is not null))`)
    .orderBy('e.happened_at', order)
    .orderBy('e.id', order)
    .limit(sql.lit(1))

const firstCover = prepared((db, { milestoneId }: { milestoneId: string }) => covers(db, milestoneId, 'asc'))
const lastCover = prepared((db, { milestoneId }: { milestoneId: string }) => covers(db, milestoneId, 'desc'))
