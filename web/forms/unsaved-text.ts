import type { z } from 'zod'

/** How long after the last change what was typed is stored. */
export const STORING_DELAY_MS = 2000

/** A form and who types into it: what they typed is shown to nobody else who uses this browser. */
export type FormOf = { form: string; personId: string | undefined }

const keyOf = ({ form, personId }: FormOf) => `unsaved/${form}/${personId}`

/** What this person typed into this form without saving it, if there is anything. */
export function readUnsaved<T>(formOf: FormOf, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(keyOf(formOf)) ?? 'null'))
  } catch {
    // None, of another form than it has now, or a browser that forbids storage.
    return null
  }
}

/** Stores what was typed until it is saved or dropped. Returns whether the browser could. */
export function storeUnsaved(formOf: FormOf, typed: unknown): boolean {
  try {
    localStorage.setItem(keyOf(formOf), JSON.stringify(typed))
    return true
  } catch {
    return false
  }
}

export function removeUnsaved(formOf: FormOf): void {
  try {
    localStorage.removeItem(keyOf(formOf))
  } catch {
    // A browser that forbids storage has nothing stored.
  }
}

/** Which form was open in this tab when the session ended. */
const INTERRUPTED_KEY = 'interruptedForm'

/** Remembers that the end of the session closed this form, so that it is open again after signing in. */
export function markInterrupted(formOf: FormOf): void {
  try {
    sessionStorage.setItem(INTERRUPTED_KEY, keyOf(formOf))
  } catch {
    // It has to be opened by hand, then.
  }
}

export function isInterrupted(formOf: FormOf): boolean {
  try {
    return sessionStorage.getItem(INTERRUPTED_KEY) === keyOf(formOf)
  } catch {
    return false
  }
}

export function forgetInterrupted(): void {
  try {
    sessionStorage.removeItem(INTERRUPTED_KEY)
  } catch {
    // Nothing was remembered.
  }
}
