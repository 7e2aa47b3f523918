import { z } from 'zod'

/** A whole number within bounds, as an environment variable writes it. */
export const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.string().regex(/^\d+$/, error).transform(Number).pipe(z.number().min(min, error).max(max, error))
}

/** One of a few words. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** A word that opens something, long enough not to be guessed. */
export const secret = z
  .string()
  .min(32, 'must have at least 32 characters; "openssl rand -base64 32" makes one')
