import { DELETION_ID } from '#contract/trash.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Sender } from '#server/testing/client.ts'

/** The path parameters of a resource in its deleting call. */
export type Target = { projectId?: string; milestoneId?: string; entryId?: string }

/** Deletes an entry, otherwise a milestone, otherwise a project, and returns the id of the deletion. */
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

/** Permanently deletes a resource, via the trash, as its project's owner. */
export async function purged(t: Pick<TestApp, 'app' | 'call'>, as: Sender, target: Target): Promise<void> {
  const deletionId = await deleted(t, as, target)
  await t.call('deleteForEver', { params: { deletionId } }, { as })
}
