import { z } from 'zod'

/** The position of a page among all results. */
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

/** A number in a query, in digits alone: JavaScript would also read `1e3`, `0x10` and nothing at all. */
export function digits(error: string) {
  return z.coerce
    .string<number>({ error })
    .regex(/^\d{1,16}$/, { error, abort: true })
    .transform(Number)
    .meta({ type: 'integer', pattern: undefined })
}

/** The page number of a query; a page beyond the last returns the last. */
export const pageNumber = digits('Page must be a whole number').pipe(
  z.number().min(1, { error: 'Page must be at least 1' }),
)
