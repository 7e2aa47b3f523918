import type { z } from 'zod'
import { isForgotten } from '#web/api/typed-text.ts'

/** A form and its user; other users of this browser do not see the draft. */
export type FormDraftKey = { form: string; personId: string | undefined }

/** Returns the storage key of a draft. Changing its prefix would lose the drafts that browsers hold. */
export const storageKey = ({ form, personId }: FormDraftKey) => `unsaved/${form}/${personId}`

/** Returns the draft of this person and form, or null if there is none. */
export function readFormDraft<T>(key: FormDraftKey, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null'))
  } catch {
    // No draft is stored, it has the shape of an older form, or the browser forbids storage.
    return null
  }
}

/** Stores a draft until it is saved or discarded. Returns whether the browser could store it. */
export function storeFormDraft(key: FormDraftKey, draft: unknown): boolean {
  if (isForgotten(key.personId)) return false
  try {
    localStorage.setItem(storageKey(key), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function removeFormDraft(key: FormDraftKey): void {
  try {
    localStorage.removeItem(storageKey(key))
  } catch {
    // A browser that forbids storage has nothing stored.
  }
}

/** The form that was open in this tab when the session ended. */
const INTERRUPTED_KEY = 'interruptedForm'

/** Records that the end of the session closed this form, so that it is reopened after signing in. */
export function markInterrupted(key: FormDraftKey): void {
  // Its author has signed out and discarded it.
  if (isForgotten(key.personId)) return
  try {
    sessionStorage.setItem(INTERRUPTED_KEY, storageKey(key))
  } catch {
    // The browser forbids storage: the user has to reopen the form.
  }
}

export function isInterrupted(key: FormDraftKey): boolean {
  try {
    return sessionStorage.getItem(INTERRUPTED_KEY) === storageKey(key)
  } catch {
    return false
  }
}

export function clearInterrupted(): void {
  try {
    sessionStorage.removeItem(INTERRUPTED_KEY)
  } catch {
    // The browser forbids storage, so nothing is stored.
  }
}

type Id = { _id: string }

/** The names under which drafts are stored. Each identifies one form, even after a reload. */
export const formNames = {
  newProject: () => 'project/new',
  project: ({ _id }: Id) => `project/${_id}`,
  newMilestone: (projectId: string) => `milestone/new/${projectId}`,
  milestone: ({ _id }: Id) => `milestone/${_id}`,
  newEntry: (milestoneId: string) => `entry/new/${milestoneId}`,
  entry: (entryId: string) => `entry/${entryId}`,
  invitation: (projectId: string) => `invitation/${projectId}`,
  revisionName: ({ _id }: Id) => `revision/${_id}`,
  profile: () => 'profile',
  newEmail: () => 'account/email',
  personEmail: ({ _id }: Id) => `server/people/${_id}/email`,
  accessToken: () => 'access-token',
  passkey: ({ _id }: Id) => `passkey/${_id}`,
  webhook: (projectId: string) => `webhook/${projectId}`,
  personQuota: ({ _id }: Id) => `server/people/${_id}/quota`,
  serverInvitation: () => 'server/invitation',
  registration: () => 'server/registration',
  announcement: () => 'server/announcement',
  terms: () => 'server/terms',
}
