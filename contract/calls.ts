import { collaboratorCalls } from './collaborators.ts'
import { entryCalls } from './entries.ts'
import { fileCalls } from './files.ts'
import { identityCalls, type localProviderCalls } from './identity.ts'
import { milestoneCalls } from './milestones.ts'
import { notificationCalls } from './notifications.ts'
import { permissionCalls } from './permissions.ts'
import { projectCalls } from './projects.ts'
import { statsCalls } from './stats.ts'
import { worldCalls } from './world.ts'

/** Every call of the API. A new one is a row in its feature's table and a handler in `server/`. */
export const calls = {
  ...identityCalls,
  ...statsCalls,
  ...projectCalls,
  ...permissionCalls,
  ...worldCalls,
  ...milestoneCalls,
  ...entryCalls,
  ...fileCalls,
  ...collaboratorCalls,
  ...notificationCalls,
}

export type Calls = typeof calls
export type CallName = keyof Calls

/** The calls that a browser can make: those of the API and those of the local provider. */
export type ClientCalls = Calls & typeof localProviderCalls
export type ClientCallName = keyof ClientCalls
