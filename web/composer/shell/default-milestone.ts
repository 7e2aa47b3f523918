import type { QueryClient } from '@tanstack/react-query'
import type { Milestone } from '#contract/milestones.ts'
import { request } from '#web/api/client.ts'
import { isTransient } from '#web/api/query-client.ts'
import { entryKey, readEntryDraft } from '#web/composer/drafts/entry-draft.ts'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { permissionsQuery, writableProjectsQuery } from '#web/projects/queries.ts'
import type { MilestoneRef } from './composer-settings.ts'
import { lastMilestone, milestonesOfLastEntries } from './last-milestone.ts'
import type { ScreenProject } from './screen-project.ts'

/** The project on the screen in which nothing can be written, and why. */
export type Unwritable = { projectId: string; reason: 'viewer' | 'no milestones' }

/**
 * Returns the milestone of a new entry. On the screens of a project: the one on the screen, else that of the person's draft or last
 * entry if it is of this project, else its newest. On other screens, and on public pages of somebody else's project: the milestone
 * of a draft, else that of the last entry, of this person in this browser or else of anybody, else the newest one of the newest project
 * that has any. Returns null without a project.
 */
export async function findMilestone(
  client: QueryClient,
  personId: string | undefined,
  screen: ScreenProject | null,
): Promise<MilestoneRef | Unwritable | null> {
  const usual = [milestoneOfDraft(personId), lastMilestone(personId)].filter((one) => one !== null)
  const here = screen && (await findHere(client, usual, screen))
  if (here) return here
  for (const milestone of usual) {
    if (await isWritable(client, milestone)) return milestone
  }
  const projects = await client.fetchQuery(writableProjectsQuery)
  for (const { projectId, milestoneId } of milestonesOfLastEntries(projects)) {
    if (await isWritable(client, { projectId, milestoneId })) return { projectId, milestoneId }
  }
  for (const { _id: projectId } of projects) {
    const newest = newestOf(await client.fetchQuery(milestonesQuery(projectId)))
    if (newest) return { projectId, milestoneId: newest._id }
  }
  return projects[0] ? { projectId: projects[0]._id, reason: 'no milestones' } : null
}

/** Returns the milestone in the project on the screen; null if that is not the person's. */
async function findHere(
  client: QueryClient,
  usual: MilestoneRef[],
  { projectId, milestoneId, entryId, isPublicPage }: ScreenProject,
): Promise<MilestoneRef | Unwritable | null> {
  const rights = await unlessRefused(client.fetchQuery(permissionsQuery(projectId)))
  if (!rights?.canView || (isPublicPage && !rights.canEdit)) return null
  if (!rights.canEdit) return { projectId, reason: 'viewer' }
  const milestones = await client.fetchQuery(milestonesQuery(projectId))
  const ofEntry =
    entryId === undefined ? null : await unlessRefused(request('locateEntry', { params: { entryId } }))
  const preferred = [
    milestoneId,
    ofEntry?.milestone,
    ...usual.filter((one) => one.projectId === projectId).map((one) => one.milestoneId),
    newestOf(milestones)?._id,
  ]
  const found = preferred.find((id) => milestones.some(({ _id }) => _id === id))
  return found === undefined ? { projectId, reason: 'no milestones' } : { projectId, milestoneId: found }
}

const newestOf = (milestones: Milestone[]) =>
  milestones.findLast(({ completed }) => !completed) ?? milestones.at(-1)

/** Returns null if the server refuses a request. Throws if the request may succeed later. */
async function unlessRefused<T>(requested: Promise<T>): Promise<T | null> {
  try {
    return await requested
  } catch (error) {
    if (isTransient(error)) throw error
    return null
  }
}

function milestoneOfDraft(personId: string | undefined): MilestoneRef | null {
  const origin = readEntryDraft(entryKey(personId, undefined))?.origin
  return origin?.projectId ? { projectId: origin.projectId, milestoneId: origin.milestoneId } : null
}

/** Whether a milestone still exists and this person may edit it. Throws if the request fails. */
async function isWritable(client: QueryClient, { projectId, milestoneId }: MilestoneRef): Promise<boolean> {
  const found = await unlessRefused(
    Promise.all([
      client.fetchQuery(permissionsQuery(projectId)),
      client.fetchQuery(milestonesQuery(projectId)),
    ]),
  )
  if (!found) return false // the project was deleted or is no longer visible
  const [{ canEdit }, milestones] = found
  return canEdit && milestones.some(({ _id }) => _id === milestoneId)
}
