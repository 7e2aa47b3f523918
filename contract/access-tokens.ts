import { z } from 'zod'
import { defineCalls, SCOPES } from './parts/call.ts'
import { line } from './parts/text.ts'
import { date, fields, id, ids, list, ownId, shownOnce } from './parts/wire.ts'

/** The maximum number of access tokens of a person. */
export const ACCESS_TOKENS_MAX = 50
/** The maximum number of projects that an access token can be limited to. */
export const TOKEN_PROJECTS_MAX = 100
export const TOKEN_NAME_MAX = 100

/** The lifetimes of access tokens, in days; null: valid until revoked. */
export const TOKEN_LIFETIMES = [30, 90, 365, null] as const

const scope = z.enum(SCOPES, { error: `A scope is one of ${SCOPES.join(', ')}` })

/** A token by which a program acts for its owner. The token itself is shown once, when it is created. */
export const accessToken = z.object({
  _id: id,
  name: z.string(),
  /** The token never grants more than its owner's rights. */
  scopes: z.array(scope),
  /** The projects that it is limited to, except those that its owner no longer sees; null: every project of its owner. */
  projects: z.array(z.object({ _id: id, title: z.string() })).nullable(),
  createdAt: date,
  /** Null: valid until revoked. */
  expiresAt: date.nullable(),
  /** Accurate to the minute. */
  lastUsedAt: date.nullable(),
})
export type AccessToken = z.infer<typeof accessToken>

export const accessTokenFields = fields({
  name: line('Name', TOKEN_NAME_MAX),
  scopes: list(
    z.array(scope, { error: 'Scopes must be a list' }).min(1, { error: 'Choose what the token may do' }),
    SCOPES.length,
    'Each scope can be chosen once',
  ).transform((scopes) => SCOPES.filter((one) => scopes.includes(one))),
  /** Null: every project of its owner, including future ones. */
  projects: list(
    z.array(id, { error: 'Projects must be a list of ids' }).min(1, { error: 'Choose at least one project' }),
    TOKEN_PROJECTS_MAX,
    `An access token can be limited to at most ${TOKEN_PROJECTS_MAX} projects`,
  )
    .nullable()
    .default(null),
  /** The lifetime in days; null: valid until revoked. */
  days: z.literal([...TOKEN_LIFETIMES], { error: 'days must be 30, 90, 365 or null' }),
})
export type AccessTokenFields = z.infer<typeof accessTokenFields>

/** A created access token. */
export const createdAccessToken = z.object({ accessToken, ...shownOnce('token') })

export const accessTokenCalls = defineCalls({
  listAccessTokens: {
    method: 'GET',
    path: '/api/account/tokens',
    who: 'signed-in',
    scope: 'none',
    summary: 'My access tokens, newest first',
    responses: { 200: z.array(accessToken).max(ACCESS_TOKENS_MAX) },
  },
  createAccessToken: {
    method: 'POST',
    path: '/api/account/tokens',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Create an access token for a program; it is shown only once',
    body: accessTokenFields.extend(ownId),
    responses: { 201: createdAccessToken },
  },
  revokeAccessToken: {
    method: 'DELETE',
    path: '/api/account/tokens/:tokenId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Revoke one of my access tokens',
    params: ids('tokenId'),
    responses: { 204: null },
  },
})
