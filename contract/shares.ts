import { z } from 'zod'
import { email } from './email.ts'
import { defineCalls } from './parts/call.ts'
import { chosenDay, chosenInstant, day } from './parts/dates.ts'
import { line } from './parts/text.ts'
import { date, fields, id, ids, ownId, shownOnce } from './parts/wire.ts'

/** The maximum number of share links of a project, besides those of the circle. */
export const LINKS_MAX = 100
/** The maximum number of people in the circle of a project. */
export const CIRCLE_MAX = 50
export const LINK_NAME_MAX = 100
export const LINK_PASSWORD_MIN = 6
export const LINK_PASSWORD_MAX = 200

/** An entry that a link refers to; its title is null while readers do not see the entry. */
const linkedEntry = z.object({ _id: id, title: z.string().nullable() })

/**
 * A link with which people without an account read a project. It shows one `entry`, or the entries `fromEntry` or `fromDay` on, or
 * all of them. Its address is not stored.
 */
export const shareLink = z.object({
  _id: id,
  name: z.string(),
  entry: linkedEntry.nullable(),
  fromEntry: linkedEntry.nullable(),
  fromDay: day.nullable(),
  hasPassword: z.boolean(),
  /** From then on the link shows nothing; null: it does not end. */
  expiresAt: date.nullable(),
  /** The last day, in UTC, on which somebody read something through it. */
  lastUsedOn: day.nullable(),
  createdAt: date,
  /**
   * The person of the circle to whom the link belongs; null for a link of anybody. They are emailed the news of what it shows at `email`, once
   * they have confirmed it.
   */
  person: z.object({ email: z.string().nullable(), isConfirmed: z.boolean() }).nullable(),
})
export type ShareLink = z.infer<typeof shareLink>

const password = z
  .string({ error: 'The password must be text' })
  .min(LINK_PASSWORD_MIN, { error: `A password has at least ${LINK_PASSWORD_MIN} characters` })
  .max(LINK_PASSWORD_MAX, { error: `A password has at most ${LINK_PASSWORD_MAX} characters` })
  .nullable()
  .optional()

const expiresAt = chosenInstant('expiresAt').nullable().optional()
/** The person of a link, and where they are asked whether they want to be emailed the news. */
const linkedPerson = z
  .object({ email: email.nullable().optional() }, { error: 'person must be an object' })
  .optional()
const entryId = (name: string) => z.uuid({ error: `${name} must be the id of an entry` }).optional()

export const shareLinkFields = fields({
  name: line('Name', LINK_NAME_MAX),
  entry: entryId('entry'),
  fromEntry: entryId('fromEntry'),
  fromDay: chosenDay('fromDay').optional(),
  expiresAt,
  password,
  /** Set for a link that belongs to one person of the circle. */
  person: linkedPerson,
})
export type ShareLinkFields = z.infer<typeof shareLinkFields>

/** An update: an omitted field is unchanged. What a link shows never changes. */
export const shareLinkChange = fields({
  name: line('Name', LINK_NAME_MAX).optional(),
  expiresAt,
  password,
  person: linkedPerson,
})
export type ShareLinkChange = z.infer<typeof shareLinkChange>

const path = '/api/projects/:projectId/links'
const ofLink = ids('projectId', 'linkId')
const managed = { who: 'signed-in', scope: 'manage', needs: 'project:edit' } as const

export const shareCalls = defineCalls({
  listShareLinks: {
    ...managed,
    method: 'GET',
    path,
    cli: {},
    summary: 'The share links of a project and of the people of its circle, newest first',
    params: ids('projectId'),
    responses: { 200: z.array(shareLink).max(LINKS_MAX + CIRCLE_MAX) },
  },
  createShareLink: {
    ...managed,
    method: 'POST',
    path,
    publishes: () => true,
    cli: { hides: ['_id', 'password'] },
    summary:
      'Create a link with which people without an account, or one person of the circle, read the project; its address is shown only once',
    params: ids('projectId'),
    body: shareLinkFields.extend(ownId),
    responses: { 201: z.object({ link: shareLink, ...shownOnce('url') }) },
  },
  updateShareLink: {
    ...managed,
    method: 'PUT',
    path: `${path}/:linkId`,
    publishes: () => true,
    summary:
      'Change the name, the end, the password or the email of a share link; its address stays the same',
    params: ofLink,
    body: shareLinkChange,
    responses: { 200: shareLink },
  },
  renewShareLink: {
    ...managed,
    method: 'POST',
    path: `${path}/:linkId/address`,
    publishes: () => true,
    summary:
      'Give a share link a new address, shown only once; the former one and its visitors are shut out at once',
    params: ofLink,
    responses: { 200: z.object({ link: shareLink, url: z.string() }) },
  },
  revokeShareLink: {
    ...managed,
    method: 'DELETE',
    path: `${path}/:linkId`,
    cli: {},
    summary: 'Revoke a share link at once',
    params: ofLink,
    responses: { 204: null },
  },
})
