import { z } from 'zod'

const KEY = 'signInTyped'

/** What is remembered of a form that signs somebody in: never a password. */
const typedIdentity = z.object({ name: z.string().optional(), email: z.string().optional() })

/** What was typed, in this tab, when signing in or registering last failed. */
export function readTyped(): z.infer<typeof typedIdentity> {
  try {
    return typedIdentity.parse(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'))
  } catch {
    // Not ours, or a browser that forbids storage.
    return {}
  }
}

export function storeTyped(typed: unknown): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...readTyped(), ...typedIdentity.parse(typed) }))
  } catch {
    // A browser that forbids storage: the form itself still has it.
  }
}

export function forgetTyped(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was stored.
  }
}
