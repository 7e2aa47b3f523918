import { z } from 'zod'
import type { Calls } from '#contract/calls.ts'
import {
  EXPORT_FORMATS,
  type ExportRequest,
  type ExportScope,
  FORMATS_OF,
  scopeKind,
} from '#contract/export.ts'
import type { CallResponse } from '#contract/parts/call.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { requireExportable } from './access.ts'
import { findRequester, type Requester } from './store.ts'

/** How long a link to an export is valid, in seconds; a browser follows it immediately. */
const TICKET_SECONDS = 60
const PER_HOUR = {
  account: { name: 'export', calls: 10, seconds: 3_600 },
  part: { name: 'export of a part', calls: 60, seconds: 3_600 },
}

/** The parameters of a link to an export: who requested what, and its expiry. */
export const ticket = z.object({
  person: z.uuid(),
  by: z.uuid(),
  program: z.enum(['yes', 'no']),
  until: z.coerce.number().int(),
  project: z.uuid().optional(),
  entry: z.uuid().optional(),
  format: z.enum(EXPORT_FORMATS),
  base: z.string().optional(),
  search: z.literal('yes').optional(),
  history: z.literal('yes').optional(),
  proof: z.string(),
})
export type Ticket = z.output<typeof ticket>

export const scopeOf = ({ project, entry }: Pick<Ticket, 'project' | 'entry'>): ExportScope =>
  entry === undefined ? (project === undefined ? 'account' : { project }) : { entry }

/**
 * Returns the link to an export. It is signed, because a browser sends no token when it downloads a file.
 * Throws `not_found`, `forbidden` and `too_many_requests`.
 */
export async function prepareExport(
  deps: AppDeps,
  caller: Caller,
  { scope, format = FORMATS_OF[scopeKind(scope)][0], base, search, history }: ExportRequest,
): Promise<CallResponse<Calls['prepareExport']>> {
  const { userId, sessionId, grant } = caller
  const now = deps.clock()
  await requireExportable(deps, caller, scope)
  const limit = scope === 'account' ? PER_HOUR.account : PER_HOUR.part
  const isAllowed = await deps.db.transaction().execute((trx) => isUnderLimit({ trx, now }, limit, userId))
  if (!isAllowed)
    throw new AppError(
      'too_many_requests',
      scope === 'account'
        ? `Everything can be downloaded ${limit.calls} times an hour. Please try again later.`
        : `Projects and entries can be downloaded ${limit.calls} times an hour. Please try again later.`,
      { retryAfter: limit.seconds },
    )
  const until = Math.floor(now.getTime() / 1_000) + TICKET_SECONDS
  const program: Ticket['program'] = grant ? 'yes' : 'no'
  const claims = {
    person: userId,
    by: sessionId,
    program,
    until,
    format,
    ...(base !== undefined && { base }),
    ...(search && { search: 'yes' as const }),
    ...(history && { history: 'yes' as const }),
    ...(scope === 'account' ? {} : scope),
  }
  const query = { ...claims, until: String(until), proof: deps.links.sign(signedText(claims)) }
  return {
    url: `/api/exports/download?${new URLSearchParams(query)}`,
    expiresAt: new Date(until * 1_000).toISOString(),
  }
}

const signedText = ({
  person,
  by,
  program,
  until,
  project,
  entry,
  format,
  ...options
}: Omit<Ticket, 'proof'>) =>
  JSON.stringify([
    'export',
    person,
    by,
    program,
    until,
    project ?? null,
    entry ?? null,
    format,
    options.base ?? null,
    options.search ?? null,
    options.history ?? null,
  ])

/**
 * Returns the caller who requested a link. Throws `not_found` if the link has expired, or if the session or access token has
 * ended.
 */
export async function requireHolder({ db, links, clock }: AppDeps, given: Ticket): Promise<Caller> {
  const now = clock()
  const holder: Requester = { userId: given.person, id: given.by, isProgram: given.program === 'yes' }
  const isGood = links.isSigned(signedText(given), given.proof) && given.until * 1_000 >= now.getTime()
  const found = isGood ? await findRequester(db, holder, now) : undefined
  if (!found) throw notFound('Download')
  const caller = { userId: holder.userId, sessionId: holder.id }
  if (!holder.isProgram) return caller
  const { scopes, project_ids: projectIds, expires_at: expiresAt } = found
  return { ...caller, grant: { scopes: scopes ?? [], projectIds, expiresAt } }
}
