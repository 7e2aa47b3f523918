import type { InvitedProject } from '#contract/collaborators.ts'
import type { Db } from '#server/database/rows.ts'
import { shownName } from '#server/files/people.ts'
import { invitedProject } from './invited-project-store.ts'
import { invitedCoverURL } from './present.ts'

/** Returns what an invitation tells of its project: its cover, who is in it, its latest milestones, and its last entry. */
export async function readInvitedProject(
  db: Db,
  { projectId, token }: { projectId: string; token: string },
): Promise<InvitedProject | null> {
  const row = await invitedProject.first(db, { projectId })
  if (!row) return null
  return {
    _id: projectId,
    ...(row.tint !== null && { tint: row.tint }),
    ...(row.cover && { imageURL: invitedCoverURL(token) }),
    members: row.members.map((name) => ({ name: shownName(name) })),
    memberCount: row.member_count,
    milestones: row.milestones,
    milestoneCount: row.milestone_count,
    lastEntry: row.last_entry && {
      title: row.last_entry.title,
      publishedAt: new Date(row.last_entry.publishedAt).toISOString(),
    },
  }
}
