import { Listeners } from '#web/ui/listeners.ts'

/** The unsaved text of one field of a form that was closed. */
export type RecoveredField = { label: string; text: string }

/** The labels of text fields, by their names in all forms. */
const labels = {
  title: 'Title',
  description: 'Description',
  content: 'Content',
  tags: 'Tags',
  email: 'Email',
  name: 'Name',
}

/** The reason why a form was closed: its resource was deleted, or the user left its screen before it was saved. */
export type RecoveryReason = 'gone' | 'not saved'

export type RecoveredText = {
  /** The author of the text; somebody else may have signed in since. */
  personId: string | undefined
  fields: readonly RecoveredField[]
  reason: RecoveryReason
}

let recovered: RecoveredText | null = null
const listeners = new Listeners()

function replace(next: RecoveredText | null) {
  recovered = next
  listeners.call()
}

/** Shows the unsaved text of a form that was closed, so that it can be copied. */
export function recoverText(
  personId: string | undefined,
  values: { [name: string]: unknown },
  reason: RecoveryReason,
): void {
  const fields = Object.entries(labels).flatMap(([name, label]) => {
    const value = values[name]
    const text = Array.isArray(value) ? value.join(', ') : value
    return typeof text === 'string' && text.trim() !== '' ? { label, text } : []
  })
  if (fields.length > 0) replace({ personId, fields, reason })
}

export const dismissRecovered = (): void => replace(null)

/** The recovered text as an external store for React; always null on the server. */
export const recoveredText = {
  subscribe: listeners.add,
  read: () => recovered,
  readOnServer: () => null,
}
