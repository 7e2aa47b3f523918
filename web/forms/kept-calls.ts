import type { FieldValues } from 'react-hook-form'
import { z } from 'zod'
import type { FormCalls } from '#web/api/saving.ts'

/** The server forgets keys after a day. Somebody who goes on later than this has seen what was created. */
const KEPT_MS = 20 * 3_600_000
/** Of a text that is sent again and again, each body is a copy. */
const UPDATES_MAX = 3

/** What a form has sent that may have been done, as its draft holds it; undefined in drafts from before. */
export const keptCalls = z
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
export type KeptCalls = z.infer<typeof keptCalls>

/** A resource as it was fetched. */
export type Versioned<In> = In & { version: number }

/** Returns the schema of a stored draft: what was typed, the resource that it changes, and what may have been done of it. */
export function storedAs<In extends FieldValues>(blank: In) {
  const fields = Object.entries(blank).map(([field, value]) => [
    field,
    typeof value === 'boolean' ? z.boolean() : z.string(),
  ])
  const typed = z.object(Object.fromEntries(fields)) as unknown as z.ZodType<In>
  const original = typed.and(z.object({ version: z.number() })) as unknown as z.ZodType<Versioned<In>>
  return z.object({ typed, original: original.nullable(), calls: keptCalls })
}

/** Returns what is to be stored of the calls of a form; undefined where none of them may have been done. */
export function keptCallsOf({ creation, updates }: FormCalls): KeptCalls {
  const isKept = creation !== undefined && !hasFile(creation.input)
  if (!isKept && updates.length === 0) return undefined
  return {
    ...(isKept && { creation: { ...creation, input: { ...creation.input } } }),
    updates: updates.slice(-UPDATES_MAX).map((body) => ({ ...body })),
  }
}

/** Returns the calls of a form whose draft is restored. */
export function callsOf(kept: KeptCalls): FormCalls {
  const isKnown = kept?.creation !== undefined && Date.now() - kept.creation.sentAt < KEPT_MS
  return { creation: isKnown ? kept.creation : undefined, updates: kept?.updates ?? [] }
}

/** A browser stores no file beside a text, and without it the call would be another one. */
const hasFile = (input: object) =>
  'body' in input && Object.values(input.body as object).some((value) => value instanceof File)
