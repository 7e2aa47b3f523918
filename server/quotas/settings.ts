import { z } from 'zod'
import { whole } from '#server/platform/settings.ts'

const MEGABYTE = 1_000_000

/** How many bytes of text and images may be stored. */
export type QuotaSettings = {
  /** Under the projects of one account. */
  accountQuota: number
  /** By all accounts together; absent: as much as the disk holds. */
  instanceQuota: number | undefined
}

const megabytes = () => whole(1, 1_000_000_000).transform((count) => count * MEGABYTE)

/** The variables by which an operator bounds what people store. */
export const quotaVariables = {
  ACCOUNT_QUOTA_MB: megabytes().default(5_000 * MEGABYTE),
  INSTANCE_QUOTA_MB: megabytes().optional(),
}

const variables = z.object(quotaVariables)

export function quotasOf(read: z.output<typeof variables>): QuotaSettings {
  return { accountQuota: read.ACCOUNT_QUOTA_MB, instanceQuota: read.INSTANCE_QUOTA_MB }
}
