import type { FieldValues } from 'react-hook-form'
import { z } from 'zod'
import type { FormCalls } from '#web/api/saving.ts'

/** The server forgets idempotency keys after a day. A form that is reopened later than this does not reuse its key. */
const STORED_MS = 20 * 3_600_000
/** Each body is a copy of the whole text, so only the last ones are stored. */
const UPDATES_MAX = 3

/** The calls of a form that may have succeeded, as stored in its draft; undefined in drafts of older versions. */
export const storedCalls = z
  .object({
    creation: z
      .object({
        key: z.string(),
        input: z.looseObject({}),
        sentAt: z.number(),
        isAmended: z.boolean(),
        version: z.number().optional(),
      })
      .optional(),
    updates: z.array(z.looseObject({})),
  })
  .optional()
  .catch(undefined)
export type StoredCalls = z.infer<typeof storedCalls>

/** A fetched resource. */
export type Versioned<In> = In & { version: number }

/**
 * Returns the schema of a stored draft: the typed fields, the resource on which they are based, and the calls that may have
 * succeeded.
 */
export function storedAs<In extends FieldValues>(blank: In) {
  const fields = Object.entries(blank).map(([field, value]) => [
    field,
    typeof value === 'boolean' ? z.boolean() : z.string(),
  ])
  const typed = z.object(Object.fromEntries(fields)) as unknown as z.ZodType<In>
  const original = typed.and(z.object({ version: z.number() })) as unknown as z.ZodType<Versioned<In>>
  return z.object({ typed, original: original.nullable(), calls: storedCalls })
}

/** Returns the calls of a form for its draft; undefined if none of them may have succeeded. */
export function callsToStore({ creation, updates }: FormCalls): StoredCalls {
  const isStorable = creation !== undefined && !hasFile(creation.input)
  if (!isStorable && updates.length === 0) return undefined
  return {
    ...(isStorable && { creation: { ...creation, input: { ...creation.input } } }),
    updates: updates.slice(-UPDATES_MAX).map((body) => ({ ...body })),
  }
}

/** Returns the calls of a form from its restored draft. */
export function restoreCalls(stored: StoredCalls): FormCalls {
  const isKnown = stored?.creation !== undefined && Date.now() - stored.creation.sentAt < STORED_MS
  return { creation: isKnown ? stored.creation : undefined, updates: stored?.updates ?? [] }
}

/** Drafts store no files, and a call without its file would be a different call. */
const hasFile = (input: object) =>
  'body' in input && Object.values(input.body as object).some((value) => value instanceof File)
