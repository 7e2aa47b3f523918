import { accessTokenFeature } from './access-tokens/feature.ts'
import { accountFeature } from './account/feature.ts'
import { activityFeature } from './activity/feature.ts'
import { addressFeature } from './addresses/feature.ts'
import { administrationFeature } from './administration/feature.ts'
import { calendarFeature } from './calendar/feature.ts'
import { collaboratorFeature } from './collaborators/feature.ts'
import { draftFeature } from './drafts/feature.ts'
import type { EmailDeps, EmailQueues } from './email-queues.ts'
import { entryFeature } from './entries/feature.ts'
import { eventFeature } from './events/feature.ts'
import { exportFeature } from './export/feature.ts'
import type { Feature } from './feature.ts'
import { fileFeature } from './files/feature.ts'
import { followerFeature } from './followers/feature.ts'
import { historyFeature } from './history/feature.ts'
import { identityFeature } from './identity/feature.ts'
import { importFeature } from './import/feature.ts'
import { mcpFeature } from './mcp/feature.ts'
import { milestoneFeature } from './milestones/feature.ts'
import { notificationFeature } from './notifications/feature.ts'
import { permissionFeature } from './permissions/feature.ts'
import { presenceFeature } from './presence/feature.ts'
import { profileFeature } from './profiles/feature.ts'
import { projectFeature } from './projects/feature.ts'
import { publicFeature } from './public/feature.ts'
import { quotaFeature } from './quotas/feature.ts'
import { reactionFeature } from './reactions/feature.ts'
import { searchFeature } from './search/feature.ts'
import { shareFeature } from './shares/feature.ts'
import { sitemapFeature } from './sitemap/feature.ts'
import { statsFeature } from './stats/feature.ts'
import { trashFeature } from './trash/feature.ts'
import { watchingFeature } from './watching/feature.ts'
import { webhookFeature } from './webhooks/feature.ts'

/** Every feature of the server. What they register is used in this order. */
export const features: readonly Feature[] = [
  accountFeature,
  identityFeature,
  accessTokenFeature,
  exportFeature,
  importFeature,
  administrationFeature,
  statsFeature,
  projectFeature,
  permissionFeature,
  publicFeature,
  sitemapFeature,
  milestoneFeature,
  entryFeature,
  historyFeature,
  draftFeature,
  fileFeature,
  collaboratorFeature,
  notificationFeature,
  watchingFeature,
  followerFeature,
  reactionFeature,
  activityFeature,
  presenceFeature,
  searchFeature,
  calendarFeature,
  trashFeature,
  webhookFeature,
  shareFeature,
  addressFeature,
  profileFeature,
  eventFeature,
  mcpFeature,
  quotaFeature,
]

/** Opens the email queues of all features. */
export async function openEmailQueues(deps: EmailDeps): Promise<EmailQueues> {
  const opened = await Promise.all(
    features.flatMap(({ emailQueues = {} }) =>
      Object.entries(emailQueues).map(async ([name, { open }]) => [name, await open(deps)]),
    ),
  )
  return Object.fromEntries(opened)
}
