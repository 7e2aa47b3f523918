import { isolated } from '#contract/characters.ts'
import { WEBHOOK_FAILING_DAYS } from '#contract/webhooks.ts'
import type { AppDeps } from '#server/deps.ts'
import { notify } from '#server/notifications/notify.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { typeOf } from './present.ts'
import type { Outcome, Send } from './send.ts'
import {
  type DueDelivery,
  deleteSettled,
  disableWebhook,
  listManagers,
  saveDelivered,
  saveFailed,
  takeDue,
} from './store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The pauses between the eight attempts: a day in all. */
const PAUSES_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR]

/** How long a process has for what it took, many times as long as an attempt lasts. */
const LEASE_MS = 5 * MINUTE
const AT_ONCE = 10

type Deps = Pick<AppDeps, 'db' | 'events' | 'tokenCipher' | 'clock'> & { publicUrl: string; send: Send }

/** Sends what is due, to all webhooks. Several processes may do so at the same time. */
export async function deliverDue(deps: Deps): Promise<void> {
  for (;;) {
    const now = deps.clock()
    const leaseEnd = new Date(now.getTime() + LEASE_MS)
    const due = await takeDue(deps.db, { now, leaseEnd, limit: AT_ONCE })
    await Promise.all(due.map((delivery) => deliver(deps, delivery)))
    if (due.length < AT_ONCE) return
  }
}

async function deliver(deps: Deps, delivery: DueDelivery): Promise<void> {
  const outcome = await attempt(deps, delivery)
  const now = deps.clock()
  await transact(deps, async (trx, publish) => {
    if (outcome.isDelivered) return saveDelivered(trx, delivery, { outcome: outcome.text, now })
    const pause = PAUSES_MS[delivery.attempts - 1]
    const nextAt = pause === undefined || outcome.isGone ? null : new Date(now.getTime() + pause)
    const since = await saveFailed(trx, delivery, { outcome: outcome.text, nextAt, now })
    if (!since) return
    if (!outcome.isGone && now.getTime() - since.getTime() < WEBHOOK_FAILING_DAYS * DAY) return
    if (!(await disableWebhook(trx, delivery.webhook_id, now))) return
    for (const { id: userId, title } of await listManagers(trx, delivery.project_id)) {
      await notify(trx, {
        userId,
        type: 'other',
        title: 'A webhook was switched off',
        message: `Nothing could be delivered to ${new URL(delivery.url).host} from “${isolated(title)}”`,
        data: { projectId: delivery.project_id },
        now,
      })
      publish({ person: userId })
    }
  })
}

async function attempt(
  { tokenCipher, publicUrl, send, clock }: Deps,
  delivery: DueDelivery,
): Promise<Outcome> {
  const secret = tokenCipher.decrypt(delivery.secret_encrypted, delivery.webhook_id)
  if (secret === null)
    return {
      isDelivered: false,
      isGone: false,
      text: 'Its secret cannot be read any more: make a new webhook',
    }
  const { id, url } = delivery
  return send({ id, url, secret, payload: payloadOf(delivery, publicUrl), sentAt: clock() })
}

/** The same for every attempt, but for the name of somebody who was renamed. */
function payloadOf(delivery: DueDelivery, publicUrl: string): string {
  const { kind, subject, details, actor_name, project_id, milestone_id, entry_id, created_at } = delivery
  return JSON.stringify({
    type: typeOf(kind),
    timestamp: created_at.toISOString(),
    data: {
      project: project_id,
      milestone: milestone_id,
      entry: entry_id,
      subject,
      details,
      actor: actor_name === '' ? null : { name: actor_name },
      url: `${publicUrl}/projects/${project_id}`,
    },
  })
}

const DELIVER_EVERY_MS = 5_000

/** Sends what is due, every few seconds. */
export const webhookDeliveries = (deps: Deps): ScheduledTask => ({
  name: 'delivery to webhooks',
  everyMs: DELIVER_EVERY_MS,
  run: () => deliverDue(deps),
})

const KEPT_MS = 7 * DAY
const BATCH = 1_000

/** Deletes what was delivered or given up more than a week ago, at regular intervals. */
export const deliverySweep = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of old deliveries',
  everyMs: HOUR,
  run: () =>
    deleteInBatches(db, { name: 'delivery sweep', batchSize: BATCH }, (trx) =>
      deleteSettled(trx, new Date(clock().getTime() - KEPT_MS), BATCH),
    ),
})
