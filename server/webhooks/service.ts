import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Calls } from '#contract/calls.ts'
import type { CallResponse } from '#contract/parts/call.ts'
import {
  DELIVERIES_LISTED,
  type DeliveredKind,
  eventTypeOf,
  FORMER_SECRET_HOURS,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookDelivery,
} from '#contract/webhooks.ts'
import { changeProject } from '#server/change-project.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject } from '#server/feature-subjects.ts'
import { hasScope, requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, invalid, notFound } from '#server/platform/api/errors.ts'
import { type Change, findCreated, firstChanges, idTaken } from '#server/platform/changes/changes.ts'
import { addressIn, isPublicAddress } from '#server/platform/public-addresses.ts'
import { countFailed, type DeliveryRecord, insertTest, listDeliveriesOf } from './delivery-store.ts'
import {
  deleteWebhookRow,
  disableWebhook,
  enableWebhook,
  findWebhook,
  findWebhookOfMaker,
  insertWebhook,
  listWebhooksOf,
  replaceSecret,
  type WebhookRecord,
} from './store.ts'

type WebhookRef = { projectId: string; webhookId: string }

/** Returns the webhooks of a project. Throws `not_found` or `forbidden`. */
export async function listWebhooks(deps: AppDeps, caller: Caller, projectId: string): Promise<Webhook[]> {
  await requireAccess(deps.db, caller, 'project:edit', { projectId })
  const webhooks = await listWebhooksOf(deps.db, projectId)
  return webhooks.map((webhook) => presentWebhook(webhook, deps.clock()))
}

/**
 * Creates a webhook with a secret, which cannot be shown again. Throws `not_found`, `forbidden`, `invalid` for a URL that is
 * not public (unless private networks are allowed), or `conflict` if there are too many.
 */
export async function createWebhook(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  { url }: { url: string },
  change: Change,
): Promise<CallResponse<Calls['createWebhook']>> {
  requireReachable(new URL(url), deps.privateWebhooks)
  const secret = createSecret()
  const ref = { projectId, wanted: change.newId }
  return changeProject(deps, caller, 'project:edit', ref, async (trx, { taken }) => {
    const created = await findCreated(taken, 'webhook', () =>
      findWebhookOfMaker(trx, { projectId, webhookId: change.newId ?? '' }, caller.userId),
    )
    if (created) {
      change.wasDone(created)
      return { webhook: presentWebhook(created, deps.clock()), secretShown: false as const }
    }
    if ((await listWebhooksOf(trx, projectId)).length >= WEBHOOKS_MAX)
      throw conflict(`A project has at most ${WEBHOOKS_MAX} webhooks. Delete one first.`)
    const id = change.newId ?? uuidv7()
    const encrypted = deps.tokenCipher.encrypt(secret, id)
    const made = { createdBy: caller.userId, changes: firstChanges(change), now: deps.clock() }
    const row = await insertWebhook(trx, { id, projectId, url, secret: encrypted, ...made })
    if (!row) throw idTaken()
    return { webhook: presentWebhook(row, made.now), secret }
  })
}

const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Creates a new secret, which cannot be shown again. Messages are also signed with the former one for a day, in which receivers
 * can be updated. A second rotation immediately drops the first secret. Throws `not_found` or `forbidden`.
 */
export function rotateWebhookSecret(
  deps: AppDeps,
  caller: Caller,
  ref: WebhookRef,
): Promise<CallResponse<Calls['rotateWebhookSecret']>> {
  const secret = createSecret()
  return changeProject(deps, caller, 'project:edit', ref, async (trx) => {
    const now = deps.clock()
    const formerUntil = new Date(now.getTime() + FORMER_SECRET_HOURS * 3_600_000)
    const encrypted = deps.tokenCipher.encrypt(secret, ref.webhookId)
    const webhook = await replaceSecret(trx, ref, { secret: encrypted, formerUntil })
    if (!webhook) throw notFound('Webhook')
    return { webhook: presentWebhook(webhook, now), secret }
  })
}

/**
 * Sends a test message within seconds. Throws `not_found`, `forbidden`, or `conflict` if one is already queued or this server
 * does not send to webhooks.
 */
export function testWebhook(deps: AppDeps, caller: Caller, ref: WebhookRef): Promise<WebhookDelivery> {
  return changeProject(deps, caller, 'project:edit', ref, async (trx) => {
    if (!(await findWebhook(trx, ref))) throw notFound('Webhook')
    if (!deps.deliversToWebhooks) throw conflict('This server does not send to webhooks at the moment.')
    const test = await insertTest(trx, ref.webhookId, deps.clock())
    if (!test) throw conflict('A test message is already on its way. Please wait a moment.')
    return presentDelivery(test)
  })
}

/** Checks IP addresses in URLs. Host names are resolved and checked with each connection. */
function requireReachable(url: URL, privateNetworks: boolean): void {
  if (privateNetworks) return
  const address = addressIn(url)
  if (url.protocol !== 'https:') throw invalid([{ path: 'url', message: 'The URL must begin with https://' }])
  if (address !== undefined && !isPublicAddress(address))
    throw invalid([{ path: 'url', message: 'This server sends nothing to private networks' }])
}

/** Enables or disables a webhook. Throws `not_found` or `forbidden`. */
export function switchWebhook(
  deps: AppDeps,
  caller: Caller,
  ref: WebhookRef,
  { isOn }: { isOn: boolean },
): Promise<Webhook> {
  return changeProject(deps, caller, 'project:edit', ref, async (trx) => {
    if (!(await findWebhook(trx, ref))) throw notFound('Webhook')
    await (isOn ? enableWebhook(trx, ref.webhookId) : disableWebhook(trx, ref.webhookId, deps.clock()))
    const webhook = await findWebhook(trx, ref)
    if (!webhook) throw notFound('Webhook')
    return presentWebhook(webhook, deps.clock())
  })
}

/** Deletes a webhook. Throws `not_found` or `forbidden`. */
export async function deleteWebhook(deps: AppDeps, caller: Caller, ref: WebhookRef): Promise<void> {
  await changeProject(deps, caller, 'project:edit', ref, async (trx) => {
    if (!(await deleteWebhookRow(trx, ref))) throw notFound('Webhook')
  })
}

/** Returns the deliveries of a webhook. Throws `not_found` or `forbidden`. */
export async function listDeliveries(
  { db }: AppDeps,
  caller: Caller,
  ref: WebhookRef,
): Promise<WebhookDelivery[]> {
  await requireAccess(db, caller, 'project:edit', ref)
  if (!(await findWebhook(db, ref))) throw notFound('Webhook')
  return (await listDeliveriesOf(db, ref.webhookId, DELIVERIES_LISTED)).map(presentDelivery)
}

/** Returns the failed deliveries of all webhooks in the form of a job queue, for administrators; null if none failed. */
export async function readFailedDeliveries(db: Db): Promise<FailedDeliveries | null> {
  const failed = await countFailed(db)
  if (!failed?.lastTriedAt) return null
  return { queue: 'webhook-deliveries', ...failed, lastTriedAt: failed.lastTriedAt }
}

type FailedDeliveries = {
  queue: string
  waiting: number
  givenUp: number
  switchedOff: number
  lastTriedAt: Date
}

function presentWebhook(
  { id, url, failing_since, disabled_at, former_secret_until: formerUntil, created_at }: WebhookRecord,
  now: Date,
): Webhook {
  return {
    _id: id,
    url,
    state: disabled_at !== null ? 'off' : failing_since !== null ? 'failing' : 'on',
    failingSince: failing_since?.toISOString() ?? null,
    formerSecretUntil: formerUntil !== null && formerUntil > now ? formerUntil.toISOString() : null,
    createdAt: created_at.toISOString(),
  }
}

function presentDelivery(row: DeliveryRecord): WebhookDelivery {
  return {
    _id: row.id,
    type: typeOf(row.kind),
    state: row.delivered_at !== null ? 'delivered' : row.next_at !== null ? 'waiting' : 'failed',
    createdAt: row.created_at.toISOString(),
    attempts: row.attempts,
    triedAt: row.tried_at?.toISOString() ?? null,
    outcome: row.outcome,
  }
}

/** Returns the type of a delivery; one without activity is a test. */
export const typeOf = (kind: DeliveredKind | null): WebhookDelivery['type'] =>
  kind === null ? 'webhook.test' : eventTypeOf(kind)

/** Returns the webhooks of an own project for the download of all data. */
export async function exportWebhooks(
  deps: AppDeps,
  caller: Caller,
  { projectId, isOwn }: ExportedProject,
): Promise<{ webhooks?: Webhook[] }> {
  return isOwn && hasScope(caller, 'manage') ? { webhooks: await listWebhooks(deps, caller, projectId) } : {}
}
