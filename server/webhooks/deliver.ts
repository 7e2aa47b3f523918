import { isolateBidi } from '#contract/parts/characters.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/parts/durations.ts'
import { WEBHOOK_FAILING_DAYS } from '#contract/webhooks.ts'
import type { AppDeps } from '#server/deps.ts'
import { notify } from '#server/notifications/notify.ts'
import { FairQueue, type Place } from '#server/platform/limits/fair-queue.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import {
  type DueDelivery,
  type DueWebhook,
  deleteDeliveries,
  listDue,
  saveDelivered,
  saveFailed,
  saveFailedTest,
  takeDue,
} from './delivery-store.ts'
import type { Outcome, Send } from './send.ts'
import { typeOf } from './service.ts'
import { disableWebhook, listManagers } from './store.ts'

/** The pauses between the eight attempts, about a day in total. */
const PAUSES_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
]

/** How long a process owns the deliveries that it has taken: many times the duration of an attempt. */
const LEASE_MS = 5 * MINUTE_MS
/**
 * The limits of the concurrent deliveries of a process, one per webhook. The owner of a project is the client, and the receiver its
 * network: those whose deliveries take long are served after the others, and do not hold all places.
 */
const QUEUE = { atOnce: 30, each: 6 }
/** The maximum number of webhooks that are considered at a time. */
const CONSIDERED = 200

type Deps = Pick<AppDeps, 'db' | 'events' | 'tokenCipher' | 'clock' | 'log'> & {
  publicUrl: string
  /** Whether anything is sent. Otherwise deliveries stay queued, for at most a week. */
  deliversToWebhooks: boolean
  send: Send
}

/** Sends due deliveries to webhooks. Several processes may do so concurrently. */
export type Deliverer = {
  /** Takes due deliveries and begins to send them. */
  poll: () => Promise<void>
  /** Resolves when nothing is being sent and all due deliveries are settled. */
  idle: () => Promise<void>
  /** Stops, and waits for running deliveries. */
  stop: () => Promise<void>
}

/** Returns a place for each webhook that gets one now. */
function placesOf(queue: FairQueue, due: DueWebhook[]): Map<string, Place> {
  const places = new Map<string, Place>()
  const clientOf = ({ owner, url }: DueWebhook) => ({ person: owner, network: new URL(url).host })
  const inTurn = due.toSorted(
    (a, b) => Number(a.isFailing) - Number(b.isFailing) || queue.compare(clientOf(a), clientOf(b)),
  )
  for (const webhook of inTurn) {
    const client = clientOf(webhook)
    if (queue.isFreeFor(client)) places.set(webhook.id, queue.enterNow(client))
  }
  return places
}

/** A webhook gets one message at a time. A slow receiver delays only its own messages, and those of its owner. */
export function createDeliverer(deps: Deps): Deliverer {
  const queue = new FairQueue(QUEUE)
  const sending = new Map<string, Promise<void>>()
  let polling: Promise<void> | undefined
  let pollsAgain = false
  let isStopped = false

  async function take() {
    do {
      pollsAgain = false
      if (sending.size >= QUEUE.atOnce || isStopped || !deps.deliversToWebhooks) return
      const now = deps.clock()
      const due = await listDue(deps.db, {
        now,
        except: [...sending.keys()],
        each: QUEUE.each,
        limit: CONSIDERED,
      })
      const places = placesOf(queue, due)
      if (places.size > 0) await begin(places, now)
    } while (pollsAgain)
  }

  async function begin(places: Map<string, Place>, now: Date): Promise<void> {
    try {
      const leaseEnd = new Date(now.getTime() + LEASE_MS)
      for (const delivery of await takeDue(deps.db, { now, leaseEnd, webhooks: [...places.keys()] })) {
        const { webhook_id: webhookId } = delivery
        const place = places.get(webhookId)
        places.delete(webhookId)
        sending.set(
          webhookId,
          finish(delivery, () => place?.release()),
        )
      }
    } finally {
      // What another process has taken meanwhile.
      for (const place of places.values()) place.release()
    }
  }

  async function finish(delivery: DueDelivery, release: () => void) {
    const failure = await deliver(deps, delivery).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    sending.delete(delivery.webhook_id)
    release()
    if (failure) warn(failure.error)
    // Not awaited, because it may start deliveries that take as long as this one.
    else void poll().catch(warn)
  }

  const warn = (error: unknown) =>
    deps.log.warn({ err: error }, 'a delivery to a webhook could not be settled; it will be tried again')

  function poll(): Promise<void> {
    if (polling) pollsAgain = true
    polling ??= take().finally(() => {
      polling = undefined
    })
    return polling
  }

  const isBusy = () => polling !== undefined || sending.size > 0

  async function idle() {
    while (isBusy()) await Promise.allSettled([polling, ...sending.values()])
  }

  return {
    poll,
    idle,
    stop() {
      isStopped = true
      return idle()
    },
  }
}

async function deliver(deps: Deps, delivery: DueDelivery): Promise<void> {
  const outcome = await attempt(deps, delivery)
  const now = deps.clock()
  await transact(deps, async (trx, publish) => {
    if (outcome.isDelivered) return saveDelivered(trx, delivery, { outcome: outcome.text, now })
    if (delivery.kind === null) return saveFailedTest(trx, delivery, outcome.text)
    const pause = PAUSES_MS[delivery.attempts - 1]
    const nextAt = pause === undefined || outcome.isGone ? null : new Date(now.getTime() + pause)
    const since = await saveFailed(trx, delivery, { outcome: outcome.text, nextAt, now })
    if (!since) return
    if (!outcome.isGone && now.getTime() - since.getTime() < WEBHOOK_FAILING_DAYS * DAY_MS) return
    if (!(await disableWebhook(trx, delivery.webhook_id, now))) return
    for (const { id: userId, title } of await listManagers(trx, delivery.project_id)) {
      await notify(trx, {
        userId,
        type: 'other',
        title: 'A webhook was switched off',
        message: `Nothing could be delivered to ${new URL(delivery.url).host} from “${isolateBidi(title)}”`,
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
  const { id, url, webhook_id: webhookId, former_secret_encrypted: encrypted } = delivery
  const secret = tokenCipher.decrypt(delivery.secret_encrypted, webhookId)
  if (secret === null)
    return {
      isDelivered: false,
      isGone: false,
      text: 'Its secret cannot be read any more: make a new webhook',
    }
  const former = encrypted && tokenCipher.decrypt(encrypted, webhookId)
  const secrets = former === null ? [secret] : [secret, former]
  return send({ id, url, secrets, payload: payloadOf(delivery, publicUrl), sentAt: clock() })
}

/** The payload is the same for every attempt, apart from names that have changed. A test message contains only the project. */
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

/** Polls for due deliveries every few seconds. */
export const webhookDeliveries = ({ poll }: Deliverer): ScheduledTask => ({
  name: 'delivery to webhooks',
  everyMs: DELIVER_EVERY_MS,
  run: poll,
})

const KEPT_MS = 7 * DAY_MS
const BATCH = 1_000

/**
 * Schedules the deletion of deliveries that are more than a week old. Retries last a day, so a delivery that is still
 * queued then belongs to a server that does not deliver.
 */
export const deliverySweep = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): ScheduledTask => ({
  name: 'removal of old deliveries',
  everyMs: HOUR_MS,
  run: () =>
    deleteInBatches(db, { name: 'delivery sweep', batchSize: BATCH }, (trx) =>
      deleteDeliveries(trx, new Date(clock().getTime() - KEPT_MS), BATCH),
    ),
})
