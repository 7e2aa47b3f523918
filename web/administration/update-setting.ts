import type { ClientCalls } from '#contract/calls.ts'
import type { CallInput, CallResponse } from '#contract/parts/call.ts'
import { currentOf } from '#web/api/api-error.ts'
import { change } from '#web/saving/change.ts'

type Setting = 'updateRegistration' | 'updateAnnouncement' | 'updateTerms'

/**
 * Updates `version` of a setting of the server, which remembers no changes. If it refuses that as stale, but has these values, an
 * earlier attempt has saved them, or somebody else: resolves to the current setting. Throws ApiError.
 */
export async function updateSetting<N extends Setting>(
  name: N,
  input: CallInput<ClientCalls[N]> & { body: object },
  version: number,
): Promise<CallResponse<ClientCalls[N]> | { version: number }> {
  try {
    return await change(name, input, { ifMatch: version })
  } catch (error) {
    const current = currentOf(error) as { version: number } | null
    if (current !== null && has(current, input.body)) return current
    throw error
  }
}

function has(current: object, body: object): boolean {
  const values = new Map<string, unknown>(Object.entries(current))
  return Object.entries(body).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(values.get(name)),
  )
}
