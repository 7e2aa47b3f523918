import { z } from 'zod'
import { type ErrorCode, errorStatus } from './error-codes.ts'

/** One fault of a body or query; `path` is dotted (`tags.3`). */
export const issue = z.object({ path: z.string(), message: z.string() })
export type Issue = z.infer<typeof issue>

/** The body of every error. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** With 400: what is wrong, field by field. */
  issues: z.array(issue).optional(),
  /** With 500: the id under which the server logged the fault. */
  requestId: z.string().optional(),
  /** With 412: the resource as it is now. */
  current: z.unknown().optional(),
})
export type ErrorBody = z.infer<typeof errorBody>
