import { z } from 'zod'
import { MEGABYTE } from '#contract/parts/sizes.ts'

/** An environment variable with a whole number within bounds. */
export const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(min, error).max(max, error))
}

/** A size in megabytes, as a number of bytes. */
export const megabytes = (max: number) => whole(1, max).transform((count) => count * MEGABYTE)

/** One of a few words. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** A secret that is long enough. */
export const secret = z
  .string()
  .min(32, 'must have at least 32 characters; "openssl rand -base64 32" makes one')

/** The parsed values of variables with these schemas. */
export type Read<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>
