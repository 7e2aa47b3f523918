import { z } from 'zod'
import { activityKind, INVITATION_KINDS } from './activity.ts'
import { defineCalls } from './parts/call.ts'
import { date, fields, flag, id, ids, ownId, shownOnce } from './parts/wire.ts'

/** The maximum number of webhooks of a project. */
export const WEBHOOKS_MAX = 10
const URL_MAX = 2_000
/** The maximum number of listed deliveries, latest first. */
export const DELIVERIES_LISTED = 50

/** The hours after a rotation during which messages are also signed with the former secret. */
export const FORMER_SECRET_HOURS = 24

/** A webhook is turned off after this many days without a successful delivery. */
export const WEBHOOK_FAILING_DAYS = 3

/** A URL to which the events of a project are posted, according to the specification Standard Webhooks. */
export const webhook = z.object({
  _id: id,
  url: z.string(),
  /** `failing`: the latest delivery failed. `off`: nothing is sent. */
  state: z.enum(['on', 'failing', 'off']),
  /** The time since which all deliveries have failed. */
  failingSince: date.nullable(),
  /** Until then, messages are also signed with the former secret; null if there is none. */
  formerSecretUntil: date.nullable(),
  createdAt: date,
})
export type Webhook = z.infer<typeof webhook>

/** The kinds of activity that webhooks get: all but those of invitations. */
const deliveredKind = activityKind.exclude(INVITATION_KINDS)
export type DeliveredKind = z.infer<typeof deliveredKind>

type EventType<Kind extends DeliveredKind> = Kind extends `${infer Subject}_${infer Verb}`
  ? `${Subject}.${Verb}`
  : never

/** Returns the type of an event, hierarchical as Standard Webhooks requires: `entry.written`. */
export const eventTypeOf = <const Kind extends DeliveredKind>(kind: Kind) =>
  kind.replace('_', '.') as EventType<Kind>

const deliveryType = z.enum([...deliveredKind.options.map(eventTypeOf), 'webhook.test'])

/** An event that is being delivered to a webhook, or that was delivered or given up in the last days. */
export const webhookDelivery = z.object({
  _id: id,
  /** A kind of activity, such as `entry.written`, or `webhook.test`. */
  type: deliveryType,
  state: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: date,
  attempts: z.int(),
  /** The time of the last attempt. */
  triedAt: date.nullable(),
  /** The result of the last attempt, such as `204` or `It took too long`. */
  outcome: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

function isAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text)
    return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  } catch {
    return false
  }
}

export const webhookFields = fields({
  url: z
    .string({ error: 'Enter an address' })
    .trim()
    .max(URL_MAX, { error: `An address has at most ${URL_MAX.toLocaleString('en')} characters` })
    .refine(isAddress, { error: 'Enter an address such as https://example.org/hook, without a password' }),
})

const path = '/api/projects/:projectId/webhooks'
const ofWebhook = ids('projectId', 'webhookId')

export const webhookCalls = defineCalls({
  listWebhooks: {
    method: 'GET',
    path,
    who: 'signed-in',
    scope: 'manage',
    needs: 'project:edit',
    summary: 'The webhooks of a project, oldest first',
    params: ids('projectId'),
    responses: { 200: z.array(webhook).max(WEBHOOKS_MAX) },
  },
  createWebhook: {
    method: 'POST',
    path,
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    needs: 'project:edit',
    summary: 'Create a webhook for the events of a project; its signing secret is shown only once',
    params: ids('projectId'),
    body: webhookFields.extend(ownId),
    responses: { 201: z.object({ webhook, ...shownOnce('secret') }) },
  },
  switchWebhook: {
    method: 'PUT',
    path: `${path}/:webhookId`,
    who: 'signed-in',
    scope: 'manage',
    needs: 'project:edit',
    summary: 'Switch a webhook on or off; events that occur while it is off are never sent',
    params: ofWebhook,
    body: fields({ isOn: flag('isOn') }),
    responses: { 200: webhook },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: `${path}/:webhookId/secret`,
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    needs: 'project:edit',
    summary:
      'Create a new signing secret, shown only once; for a day, messages are also signed with the former one',
    params: ofWebhook,
    responses: { 200: z.object({ webhook, secret: z.string() }) },
  },
  testWebhook: {
    method: 'POST',
    path: `${path}/:webhookId/test`,
    who: 'signed-in',
    scope: 'manage',
    needs: 'project:edit',
    summary: 'Send a test message to a webhook, once and within seconds, even if it is off',
    params: ofWebhook,
    responses: { 200: webhookDelivery },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: `${path}/:webhookId`,
    who: 'signed-in',
    scope: 'manage',
    needs: 'project:edit',
    summary: 'Delete a webhook and its log',
    params: ofWebhook,
    responses: { 204: null },
  },
  listDeliveries: {
    method: 'GET',
    path: `${path}/:webhookId/deliveries`,
    who: 'signed-in',
    scope: 'manage',
    needs: 'project:edit',
    summary: 'The deliveries of a webhook in the last days, latest first',
    params: ofWebhook,
    responses: { 200: z.array(webhookDelivery).max(DELIVERIES_LISTED) },
  },
})
