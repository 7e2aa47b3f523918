import { v7 as uuidv7 } from 'uuid'
import { ACCESS_TOKENS_MAX, type AccessToken, type AccessTokenFields } from '#contract/access-tokens.ts'
import type { Calls } from '#contract/calls.ts'
import type { CallResponse } from '#contract/parts/call.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, invalid, notFound, notSignedIn } from '#server/platform/api/errors.ts'
import {
  type Change,
  findCreated,
  findTaker,
  firstChanges,
  idTaken,
} from '#server/platform/changes/changes.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { transact } from '#server/platform/transact.ts'
import { createSecret } from './authenticate.ts'
import {
  type AccessTokenRecord,
  deleteToken,
  findTokenOf,
  findUnrevoked,
  insertToken,
  listNamed,
  listTokensOf,
  lockSession,
} from './store.ts'

/** Returns the caller's access tokens, including expired ones, newest first. */
export async function listAccessTokens({ db }: AppDeps, { userId }: Caller): Promise<AccessToken[]> {
  return present(db, userId, await listTokensOf(db, userId))
}

/**
 * Creates an access token, whose secret cannot be shown again. Throws `invalid` for a project of which the caller is not a
 * member, and `conflict` if they have too many tokens.
 */
export async function createAccessToken(
  deps: AppDeps,
  { userId, sessionId }: Caller,
  { name, scopes, projects, days }: AccessTokenFields,
  change: Change,
): Promise<CallResponse<Calls['createAccessToken']>> {
  const token = createSecret()
  const now = deps.clock()
  let isRepeated = false
  const created = await transact(deps, async (trx) => {
    // Ending a session always revokes tokens afterwards, so none can be created in the meantime.
    if (!(await lockSession(trx, sessionId))) throw notSignedIn()
    const id = change.newId ?? uuidv7()
    const findBefore = async () =>
      findCreated(await findTaker(trx, change.newId), 'access token', () => findTokenOf(trx, userId, id))
    const repeated = (row: Awaited<ReturnType<typeof findBefore>>) => {
      if (!row) throw idTaken()
      change.wasDone(row)
      isRepeated = true
      return present(trx, userId, [row])
    }
    const before = await findBefore()
    if (before) return repeated(before)
    if ((await listTokensOf(trx, userId)).length >= ACCESS_TOKENS_MAX)
      throw conflict(`You have ${ACCESS_TOKENS_MAX} access tokens. Revoke one that is not used.`)
    const projectIds = projects && [...new Set(projects)]
    if (projectIds && (await listNamed(trx, userId, projectIds)).length < projectIds.length)
      throw invalid([{ path: 'projects', message: 'One of these projects is not there any more' }])
    const expiresAt = days === null ? null : new Date(now.getTime() + days * DAY_MS)
    const hash = hashOfToken(token)
    const row = await insertToken(trx, {
      id,
      userId,
      name,
      hash,
      scopes,
      projectIds,
      changes: firstChanges(change),
      now,
      expiresAt,
    })
    // Sent twice at the same moment, and the other one was first.
    if (!row) return repeated(await findBefore())
    await deps.emailQueues?.accessTokens.add(trx, row.id)
    return present(trx, userId, [row])
  })
  deps.emailQueues?.accessTokens.wake()
  const [accessToken] = created
  if (!accessToken) throw new Error('an access token was made and not presented')
  return isRepeated ? { accessToken, secretShown: false as const } : { token, accessToken }
}

/** Revokes one of the caller's access tokens and ends its event streams. Throws `not_found`. */
export async function revokeAccessToken({ db }: AppDeps, { userId }: Caller, id: string): Promise<void> {
  if (!(await deleteToken(db, userId, id))) throw notFound('Token')
}

/** Returns the given access tokens that were not revoked. */
export const filterUnrevoked = ({ db }: Pick<AppDeps, 'db'>, ids: string[]): Promise<Set<string>> =>
  findUnrevoked(db, ids)

async function present(db: Db, userId: string, rows: AccessTokenRecord[]): Promise<AccessToken[]> {
  const ids = rows.flatMap(({ project_ids }) => project_ids ?? [])
  const named = ids.length > 0 ? await listNamed(db, userId, ids) : []
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    scopes: row.scopes,
    projects:
      row.project_ids &&
      named.filter(({ id }) => row.project_ids?.includes(id)).map(({ id, title }) => ({ _id: id, title })),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}
