import { z } from 'zod'

/** A UUIDv7, created by the client or, if it sends none, by the server. */
export const id = z.uuid()

const MADE_BY_CLIENTS = /^(?!0{8}|f{8}-f{4}-f{4}-f{4})[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** An id that a client has made: a UUID of any version in lower case, but not the nil or the max one. */
export const newId = z
  .string({ error: '_id must be a UUID in lower case' })
  .regex(MADE_BY_CLIENTS, { error: '_id must be a UUID in lower case' })
  .meta({ format: 'uuid' })

/** The field of a creating call. Sent again by the same account, the call returns what has this id. */
export const ownId = { _id: newId.optional() }

/**
 * The fields of a response with a secret, which only the first response has. In that of a repeated call, `secretShown` is false: the
 * client deletes what it has created, and creates it under another id.
 */
export const shownOnce = <const Name extends string>(name: Name) =>
  ({ [name]: z.string().optional(), secretShown: z.literal(false).optional() }) as {
    [key in Name]: z.ZodOptional<z.ZodString>
  } & { secretShown: z.ZodOptional<z.ZodLiteral<false>> }

/** ISO 8601 in UTC, in the format of `Date.toISOString`. */
export const date = z.iso.datetime()

/** Incremented by every update; sent back in `If-Match: "{version}"` to refuse a stale write. */
export const version = z.int().min(1)

/** Path parameters, each an id. */
export function ids<const K extends string>(...names: K[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, id])) as Record<K, typeof id>)
}

/**
 * The maximum size of the image in a form, in bytes and as text. Other files are not sent in forms. The specified 10 MB allow an image
 * that has them by either way to count.
 */
export const IMAGE_BYTES_MAX = 10 * 1024 * 1024
export const IMAGE_SIZE_MAX = '10 MB'

/** A list whose length is checked before its elements: at most `sent` of them are parsed. */
export const list = <const T extends z.ZodType>(items: z.ZodArray<T>, sent: number, message: string) =>
  z.preprocess((value: z.input<T>[], context) => {
    if (!Array.isArray(value) || value.length <= sent) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }, items)

/** A JSON body with these fields; other fields are dropped. */
export const fields = <const S extends z.ZodRawShape>(shape: S) =>
  z.object(shape, { error: 'The body must be an object' })

/** Returns the error message for a value that is none of these, such as `Sort must be newest, oldest or title`. */
export const mustBeOneOf = (name: string, values: readonly (string | number)[]) =>
  `${name} must be ${[values.slice(0, -1).join(', '), values.at(-1)].filter((part) => part !== '').join(' or ')}`

/** An optional boolean in a body; false if omitted. */
export const flag = (name: string) => z.boolean({ error: `${name} must be true or false` }).default(false)
