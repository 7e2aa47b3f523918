import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/api/api-error.ts'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { isNotFound, permissionsQuery } from '#web/projects/queries.ts'

/**
 * Returns the error of a new entry that was refused because its milestone is absent, with what has really happened: the server
 * tells nobody outside a project what is in it. Returns other errors as they are.
 */
export async function withPlace(client: QueryClient, projectId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ApiError) || !isNotFound(error)) return error
  const fresh = { staleTime: 0, retry: false }
  try {
    const { canEdit } = await client.fetchQuery({ ...permissionsQuery(projectId), ...fresh })
    if (canEdit) await client.fetchQuery({ ...milestonesQuery(projectId), ...fresh })
    return saying(error, canEdit ? MILESTONE_DELETED : NO_MEMBER)
  } catch (other) {
    return isNotFound(other) ? saying(error, NO_MEMBER) : error
  }
}

const MILESTONE_DELETED = 'The milestone was deleted. Choose another one for this entry.'
const NO_MEMBER = 'You are no longer a member of this project, or it was deleted.'

const saying = ({ status, code }: ApiError, message: string) =>
  new ApiError(status, code, message, { isFromServer: true })
