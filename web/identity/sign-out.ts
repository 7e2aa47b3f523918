import { ApiError } from '#web/api/api-error.ts'
import type { SessionDeps } from './session-deps.ts'
import { logoutFailed } from './texts.ts'

/** Ends a session at the server and at the provider; answers whether both could be told. */
export async function endEverywhere(deps: SessionDeps, token: string | null): Promise<boolean> {
  const told = await Promise.all([
    token === null || succeeds(deps.revoke(token)),
    succeeds(deps.provider.signOut()),
  ])
  return told.every(Boolean)
}

/** Signs out of the provider alone, and says so where it could not be told. */
export async function leaveProvider(deps: SessionDeps): Promise<void> {
  if (!(await succeeds(deps.provider.signOut()))) deps.say(logoutFailed)
}

/** Whether it went well; a session that had ended already counts as ended. */
async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    return error instanceof ApiError && error.status === 401
  }
}
