import { z } from 'zod'

/** Where a page stands among all that were found. */
export const pagination = z.object({
  totalItems: z.int(),
  /** 0 where nothing was found. */
  totalPages: z.int(),
  currentPage: z.int(),
  hasPrev: z.boolean(),
  hasNext: z.boolean(),
  limit: z.int(),
})
export type Pagination = z.infer<typeof pagination>

/** A page's number in a query; a page beyond the last is answered with the last. */
export const pageNumber = z.coerce
  .number<number>({ error: 'Page must be a whole number' })
  .int({ error: 'Page must be a whole number' })
  .min(1, { error: 'Page must be at least 1' })
