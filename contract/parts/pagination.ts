import { z } from 'zod'

/** The position of a page among all results. */
export const pagination = z.object({
  totalItems: z.int(),
  /** 0 if there are no results. */
  totalPages: z.int(),
  currentPage: z.int(),
  hasPrev: z.boolean(),
  hasNext: z.boolean(),
  limit: z.int(),
})
export type Pagination = z.infer<typeof pagination>

/** A number in a query, in digits only: `Number` would also accept `1e3`, `0x10` and an empty text. */
export function digits(error: string) {
  return (
    z.coerce
      .string<number>({ error })
      // Negative numbers pass here, so that the check of the minimum names it.
      .regex(/^-?\d{1,16}$/, { error, abort: true })
      .transform(Number)
      .meta({ type: 'integer', pattern: undefined })
  )
}

/** The page number of a query. Beyond the last page, the last is returned. */
export const pageNumber = digits('Page must be a whole number').pipe(
  z.number().min(1, { error: 'Page must be at least 1' }),
)
