import { DELETION_ID } from '#contract/trash.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Sender } from '#server/testing/client.ts'

/** Where something is, as the calls that delete it name it. */
export type Target = { projectId?: string; milestoneId?: string; entryId?: string }

/** Deletes an entry, else a milestone, else a project, and returns the id of the deletion. */
export async function deleted(
  t: Pick<TestApp, 'app'>,
  as: Sender,
  { projectId, milestoneId, entryId }: Target,
): Promise<string> {
  const url =
    entryId === undefined
      ? `/api/projects/${projectId}${milestoneId === undefined ? '' : `/milestones/${milestoneId}`}`
      : `/api/milestones/${milestoneId}/entries/${entryId}`
  const { statusCode, headers, body } = await t.app.inject({ method: 'DELETE', url, headers: as.headers })
  if (statusCode !== 204) throw new Error(`${url} answered ${statusCode}: ${body}`)
  return String(headers[DELETION_ID])
}

/** Deletes it for ever, by way of the trash: the owner does. */
export async function purged(t: Pick<TestApp, 'app' | 'call'>, as: Sender, target: Target): Promise<void> {
  const deletionId = await deleted(t, as, target)
  await t.call('deleteForEver', { params: { deletionId } }, { as })
}
