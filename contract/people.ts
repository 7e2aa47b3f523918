import { z } from 'zod'
import { email } from './email.ts'
import { defineCalls } from './parts/call.ts'
import { SEARCH_MAX } from './parts/list-options.ts'
import { MEGABYTE } from './parts/sizes.ts'
import { search } from './parts/text.ts'
import { date, fields, id, ids, ownId } from './parts/wire.ts'

export const PEOPLE_PER_PAGE = 50
/** The lifetime of an invitation to this server, in days. */
export const SERVER_INVITATION_DAYS = 7
export const SERVER_INVITATIONS_MAX = 200
const QUOTA_MAX = 1e15

/** `awaiting`: not yet approved by an administrator. `leaving`: its owner is deleting it. */
const accountState = z.enum(['active', 'awaiting', 'suspended', 'leaving'])
export type AccountState = z.infer<typeof accountState>

/** An account as administrators see it. */
export const person = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  state: accountState,
  isAdmin: z.boolean(),
  /** Whether two-step sign-in is on. */
  hasTwoFactor: z.boolean(),
  createdAt: date,
  /** When they last signed in or renewed their session, accurate to the hour; null if they never signed in. */
  lastSeenAt: date.nullable(),
  /** The storage that their projects use and their quota, in bytes; `usual` is the default quota of the settings. */
  storage: z.object({ used: z.int(), quota: z.int(), usual: z.int() }),
})
export type Person = z.infer<typeof person>

const peopleFilter = z.enum(['all', 'awaiting', 'suspended', 'administrators'])
export type PeopleFilter = z.infer<typeof peopleFilter>

export const peopleQuery = z.object({
  search: search('Search', SEARCH_MAX),
  filter: peopleFilter.default('all'),
  before: id.optional(),
})

export const peoplePage = z.object({
  people: z.array(person),
  /** The value of `before` for the next page; null on the last. */
  next: id.nullable(),
})

/** The fields of an account that administrators change. Omitted fields are unchanged. */
export const personFields = fields({
  isApproved: z.literal(true).optional(),
  isSuspended: z.boolean().optional(),
  isAdmin: z.boolean().optional(),
  /** The quota of the account, in bytes; null: the default quota. */
  quota: z
    .int({ error: 'The limit must be a whole number of bytes' })
    .min(MEGABYTE, { error: 'The limit must be at least 1 MB' })
    .max(QUOTA_MAX, { error: 'The limit must be at most 1,000 TB' })
    .nullable()
    .optional(),
})

/** An invitation to create an account on this server. */
export const serverInvitation = z.object({
  _id: id,
  email: z.string(),
  createdAt: date,
  expiresAt: date,
  /** The token of the link; null if it was encrypted with a secret that no longer exists. */
  token: z.string().nullable(),
  /** The mail server refused the address for good. */
  undelivered: z.literal(true).optional(),
})
export type ServerInvitation = z.infer<typeof serverInvitation>

export const peopleCalls = defineCalls({
  listPeople: {
    method: 'GET',
    path: '/api/admin/people',
    who: 'administrator',
    summary: 'The accounts of this server, newest first',
    query: peopleQuery,
    responses: { 200: peoplePage },
  },
  updatePerson: {
    method: 'PUT',
    path: '/api/admin/people/:personId',
    who: 'administrator',
    needsProof: true,
    summary: 'Approve, suspend or unsuspend an account, or change its administrator rights or storage limit',
    params: ids('personId'),
    body: personFields,
    responses: { 200: person },
  },
  refusePerson: {
    method: 'DELETE',
    path: '/api/admin/people/:personId',
    who: 'administrator',
    needsProof: true,
    summary: 'Delete an account that is awaiting approval',
    params: ids('personId'),
    responses: { 204: null },
  },
  makeResetLink: {
    method: 'POST',
    path: '/api/admin/people/:personId/reset-link',
    who: 'administrator',
    needsProof: true,
    summary: 'Create a link for setting a new password within an hour; it is shown only once',
    params: ids('personId'),
    responses: { 200: z.object({ token: z.string(), expiresAt: date }) },
  },
  turnOffPersonTwoFactor: {
    method: 'DELETE',
    path: '/api/admin/people/:personId/two-factor',
    who: 'administrator',
    needsProof: true,
    summary:
      'Turn two-step sign-in off for somebody who has lost their second factor, and sign them out everywhere',
    params: ids('personId'),
    responses: { 204: null },
  },
  changePersonEmail: {
    method: 'PUT',
    path: '/api/admin/people/:personId/email',
    who: 'administrator',
    needsProof: true,
    summary: 'Change the email of an account, which is then unverified, and sign the account out everywhere',
    params: ids('personId'),
    body: fields({ email }),
    responses: { 200: person },
  },
  listServerInvitations: {
    method: 'GET',
    path: '/api/admin/invitations',
    who: 'administrator',
    summary: 'The invitations to this server that can still be used, newest first',
    responses: { 200: z.array(serverInvitation).max(SERVER_INVITATIONS_MAX) },
  },
  inviteToServer: {
    method: 'POST',
    path: '/api/admin/invitations',
    who: 'administrator',
    summary: 'Invite somebody to create an account; inviting the same address again replaces the link',
    body: fields({ email, ...ownId }),
    responses: { 201: serverInvitation },
  },
  withdrawServerInvitation: {
    method: 'DELETE',
    path: '/api/admin/invitations/:invitationId',
    who: 'administrator',
    summary: 'Withdraw an invitation to this server',
    params: ids('invitationId'),
    responses: { 204: null },
  },
})
