import { z } from 'zod'

/** Every error code and its status. */
export const errorStatus = {
  invalid: 400,
  common_password: 400,
  not_signed_in: 401,
  no_account: 401,
  incorrect_password: 401,
  no_password: 401,
  passkey_refused: 401,
  second_factor_required: 401,
  forbidden: 403,
  foreign_origin: 403,
  insufficient_scope: 403,
  proof_required: 403,
  wrong_account: 403,
  unverified_address: 403,
  account_leaving: 403,
  account_awaiting: 403,
  account_suspended: 403,
  registration_closed: 403,
  not_found: 404,
  page_not_found: 404,
  wrong_method: 405,
  too_slow: 408,
  conflict: 409,
  parent_deleted: 409,
  id_taken: 409,
  expired: 410,
  stale: 412,
  too_large: 413,
  quota_exceeded: 413,
  unsupported_media: 415,
  not_an_image: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  unexpected: 500,
  unavailable: 503,
  storage_full: 503,
  outcome_unknown: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** One error in a body or query; `path` is dotted (`tags.3`). */
export const issue = z.object({ path: z.string(), message: z.string() })
export type Issue = z.infer<typeof issue>

/** The body of every error. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** With 400: the errors by field. */
  issues: z.array(issue).optional(),
  /** With 500: the id under which the server logged the error. */
  requestId: z.string().optional(),
  /** With 412: the current resource. */
  current: z.unknown().optional(),
})
export type ErrorBody = z.infer<typeof errorBody>
