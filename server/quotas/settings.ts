import { z } from 'zod'
import { MEGABYTE } from '#contract/parts/sizes.ts'
import { megabytes, whole } from '#server/platform/settings.ts'

/** The quotas of text and files, in bytes, and of the things that are listed as a whole. */
export type QuotaSettings = {
  /** For all projects of one account. */
  accountQuota: number
  /** For all accounts together; undefined: limited only by the disk. */
  instanceQuota: number | undefined
  milestonesPerProject: number
  projectsPerAccount: number
}

/** The environment variables of quotas. */
export const quotaVariables = {
  ACCOUNT_QUOTA_MB: megabytes(1_000_000_000).default(5_000 * MEGABYTE),
  INSTANCE_QUOTA_MB: megabytes(1_000_000_000).optional(),
  MILESTONES_PER_PROJECT: whole(1, 100_000).default(2_000),
  PROJECTS_PER_ACCOUNT: whole(1, 100_000).default(1_000),
}

const variables = z.object(quotaVariables)

export function quotasOf(read: z.output<typeof variables>): QuotaSettings {
  return {
    accountQuota: read.ACCOUNT_QUOTA_MB,
    instanceQuota: read.INSTANCE_QUOTA_MB,
    milestonesPerProject: read.MILESTONES_PER_PROJECT,
    projectsPerAccount: read.PROJECTS_PER_ACCOUNT,
  }
}

export const defaultQuotas = quotasOf(variables.parse({}))
