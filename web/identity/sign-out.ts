import { ApiError } from '#web/api/api-error.ts'
import type { KeeperMeans } from './keeper-means.ts'
import { logoutFailed } from './texts.ts'

/** Ends a session at the server and at the provider; answers whether both could be told. */
export async function endEverywhere(means: KeeperMeans, token: string | null): Promise<boolean> {
  const told = await Promise.all([
    token === null || succeeds(means.revoke(token)),
    succeeds(means.provider.signOut()),
  ])
  return told.every(Boolean)
}

/** Signs out of the provider alone, and says so where it could not be told. */
export async function leaveProvider(means: KeeperMeans): Promise<void> {
  if (!(await succeeds(means.provider.signOut()))) means.say(logoutFailed)
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
