import type { z } from 'zod'
import { readStored, readStoredAs, store } from '#web/api/browser-storage.ts'
import { isForgotten } from '#web/api/typed-text.ts'

/** A form and its user; other users of this browser do not see the draft. */
export type FormDraftKey = { form: string; personId: string | undefined }

/** Returns the storage key of a draft. Changing its prefix would lose the drafts that browsers hold. */
export const storageKey = ({ form, personId }: FormDraftKey) => `unsaved/${form}/${personId}`

/** Returns the draft of this person and form, or null if there is none. */
export const readFormDraft = <T>(key: FormDraftKey, schema: z.ZodType<T>): T | null =>
  readStoredAs(storageKey(key), schema)

/** Stores a draft until it is saved or discarded. Returns whether the browser could store it. */
export const storeFormDraft = (key: FormDraftKey, draft: unknown): boolean =>
  !isForgotten(key.personId) && store(storageKey(key), JSON.stringify(draft))

export const removeFormDraft = (key: FormDraftKey): void => void store(storageKey(key), null)

/** The form that was open in this tab when the session ended. */
const INTERRUPTED_KEY = 'interruptedForm'

/** Records that the end of the session closed this form, so that it is reopened after signing in. */
export function markInterrupted(key: FormDraftKey): void {
  // Its author may have signed out and discarded it.
  if (!isForgotten(key.personId)) store(INTERRUPTED_KEY, storageKey(key), 'tab')
}

export const isInterrupted = (key: FormDraftKey): boolean =>
  readStored(INTERRUPTED_KEY, 'tab') === storageKey(key)

export const clearInterrupted = (): void => void store(INTERRUPTED_KEY, null, 'tab')

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
