/** One field of a form that is gone, as it was typed. */
export type RescuedField = { label: string; text: string }

/** The fields that people write, by their names in all forms. */
const labels = {
  title: 'Title',
  description: 'Description',
  content: 'Content',
  tags: 'Tags',
  email: 'Email',
}

/** Why a form is gone: with its subject, or it was left while it was being saved, which failed. */
export type RescueReason = 'gone' | 'not saved'

export type Rescued = {
  /** Who typed it; somebody else may have signed in since. */
  personId: string | undefined
  fields: readonly RescuedField[]
  reason: RescueReason
}

let rescued: Rescued | null = null
const listeners = new Set<() => void>()

function replace(next: Rescued | null) {
  rescued = next
  for (const listener of listeners) listener()
}

/** Shows what was typed into a form that is gone, so that it can be copied. */
export function rescue(
  personId: string | undefined,
  values: { [name: string]: unknown },
  reason: RescueReason,
): void {
  const fields = Object.entries(labels).flatMap(([name, label]) => {
    const value = values[name]
    const text = Array.isArray(value) ? value.join(', ') : value
    return typeof text === 'string' && text.trim() !== '' ? { label, text } : []
  })
  if (fields.length > 0) replace({ personId, fields, reason })
}

export const forgetRescued = (): void => replace(null)

/** It as an external store for React; always null on the server. */
export const rescuedText = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  read: () => rescued,
  readOnServer: () => null,
}
