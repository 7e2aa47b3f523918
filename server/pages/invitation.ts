import type { FoundInvitation, RunCall } from '#contract/rendering.ts'
import { AppError } from '#server/platform/api/errors.ts'

const INVITATION = /^\/invite\/([^/]+)\/*$/i

/** Reads the invitation of the path of its screen; undefined for another path. Throws an error of the server itself. */
export async function invitationAt(pathname: string, runCall: RunCall): Promise<FoundInvitation | undefined> {
  const [, encoded] = INVITATION.exec(pathname) ?? []
  if (encoded === undefined) return undefined
  const token = decodeURIComponent(encoded)
  try {
    const found = await runCall('acceptInvitation', { params: { inviteToken: token } })
    return 'requiresAuth' in found ? { token, found } : { token }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { status, code, message } = error
    return { token, refusal: { status, code, message } }
  }
}
