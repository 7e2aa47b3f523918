import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ActivityKind } from '#contract/activity.ts'
import type { Calls } from '#contract/calls.ts'
import type { CallResponse } from '#contract/parts/call.ts'
import {
  CIRCLE_MAX,
  LINKS_MAX,
  type ShareLink,
  type ShareLinkChange,
  type ShareLinkFields,
} from '#contract/shares.ts'
import { recordActivity } from '#server/activity/service.ts'
import { changeProject } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject } from '#server/feature-subjects.ts'
import { setPersonEmail } from '#server/followers/circle.ts'
import { hasScope, requireAccess } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { conflict, invalid, notFound } from '#server/platform/api/errors.ts'
import {
  type Change,
  findCreated,
  firstChanges,
  hasChange,
  idTaken,
} from '#server/platform/changes/changes.ts'
import { hashOfToken } from '#server/platform/token-hash.ts'
import { hashLinkPassword } from './passwords.ts'
import {
  changeLink,
  countLinks,
  deleteLink,
  findLink,
  findLinkOfMaker,
  insertLink,
  isLiveEntryOf,
  listLinksOf,
  type ShareLinkRecord,
} from './store.ts'

type LinkRef = { projectId: string; linkId: string }
/** `publicUrl`: the origin of the addresses of links. */
type Deps = AppDeps & { publicUrl: string }

/** Returns the share links of a project. Throws `not_found` or `forbidden`. */
export async function listShareLinks(
  { db }: AppDeps,
  caller: Caller,
  projectId: string,
): Promise<ShareLink[]> {
  await requireAccess(db, caller, 'project:edit', { projectId })
  return (await listLinksOf(db, projectId)).map(presentLink)
}

/**
 * Creates a link, whose address cannot be shown again. Throws `not_found`, `forbidden`, `invalid` for an entry that readers of the
 * project do not see or for an end in the past, or `conflict` if there are too many links.
 */
export async function createShareLink(
  deps: Deps,
  caller: Caller,
  projectId: string,
  fields: ShareLinkFields,
  change: Change,
): Promise<CallResponse<Calls['createShareLink']>> {
  refuseTwoParts(fields)
  const isPerson = fields.person !== undefined
  const email = fields.person?.email
  if (isPerson && fields.password) throw hasNoPassword()
  await requireAccess(deps.db, caller, 'project:edit', { projectId })
  const passwordHash = fields.password ? await hashLinkPassword(fields.password, clientOf(caller)) : null
  const ref = { projectId, wanted: change.newId }
  const shared = await changeProject(deps, caller, 'project:edit', ref, async (trx, { taken }) => {
    const created = await findCreated(taken, 'share link', () =>
      findLinkOfMaker(trx, { projectId, linkId: change.newId ?? '' }, caller.userId),
    )
    if (created) {
      change.wasDone(created)
      return { link: presentLink(created), secretShown: false as const }
    }
    await refuseTooMany(trx, projectId, isPerson)
    const now = deps.clock()
    const { token, tokenHash } = createToken()
    const linkId = change.newId ?? uuidv7()
    const isNew = await insertLink(trx, {
      id: linkId,
      projectId,
      name: fields.name,
      entry: await shownEntry(trx, projectId, 'entry', fields.entry),
      fromEntry: await shownEntry(trx, projectId, 'fromEntry', fields.fromEntry),
      fromDay: fields.fromDay ?? null,
      tokenHash,
      passwordHash,
      expiresAt: endAfter(now, fields.expiresAt) ?? null,
      createdBy: caller.userId,
      isPerson,
      changes: firstChanges(change),
      now,
    })
    if (!isNew) throw idTaken()
    if (email) await setPersonEmail(deps, trx, { projectId, linkId, email, caller })
    await record(trx, caller, { kind: 'link_created', projectId, name: fields.name, now })
    return { link: await presentStored(trx, { projectId, linkId }), url: addressOf(deps, token) }
  })
  if (email) deps.emailQueues?.followers.wake()
  return shared
}

async function refuseTooMany(trx: Transaction<Schema>, projectId: string, isPerson: boolean) {
  const most = isPerson ? CIRCLE_MAX : LINKS_MAX
  if ((await countLinks(trx, projectId, isPerson)) < most) return
  throw conflict(
    isPerson
      ? `A circle has at most ${most} people. Let somebody go first.`
      : `A project has at most ${most} share links. Revoke one first.`,
  )
}

const notOfPerson = () => invalid([{ path: 'person', message: 'This link belongs to nobody' }])

const hasNoPassword = () =>
  invalid([
    { path: 'password', message: 'The link of a person has no password: emails would show what it hides' },
  ])

function refuseTwoParts({ entry, fromEntry, fromDay }: ShareLinkFields): void {
  if ([entry, fromEntry, fromDay].filter((part) => part !== undefined).length > 1)
    throw invalid([
      { path: 'entry', message: 'A link shows one entry, or those from an entry or a day on, not several' },
    ])
}

/** Returns the id of an entry that readers of the project see; null without one. Throws `invalid`. */
async function shownEntry(
  trx: Transaction<Schema>,
  projectId: string,
  path: string,
  entryId: string | undefined,
): Promise<string | null> {
  if (entryId === undefined) return null
  if (await isLiveEntryOf(trx, projectId, entryId)) return entryId
  throw invalid([{ path, message: 'There is no such entry in this project, or it is not published' }])
}

/** Returns the end of a link. Throws `invalid` if it is not in the future. */
function endAfter(now: Date, expiresAt: string | null | undefined): Date | null | undefined {
  if (expiresAt === undefined || expiresAt === null) return expiresAt
  const end = new Date(expiresAt)
  if (end <= now) throw invalid([{ path: 'expiresAt', message: 'The end must be in the future' }])
  return end
}

/** The only copy of a token is in its address: the database has its hash. */
function createToken() {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOfToken(token) }
}

const addressOf = ({ publicUrl }: Deps, token: string) => `${publicUrl}/s/${token}`

/** Changes the name, the end or the password of a link. Throws `not_found`, `forbidden`, or `invalid` for an end in the past. */
export async function updateShareLink(
  deps: AppDeps,
  caller: Caller,
  ref: LinkRef,
  { name, expiresAt, password, person }: ShareLinkChange,
  change: Change,
): Promise<ShareLink> {
  await requireAccess(deps.db, caller, 'project:edit', ref)
  const passwordHash = password ? await hashLinkPassword(password, clientOf(caller)) : password
  const changed = await changeProject(deps, caller, 'project:edit', ref, async (trx) => {
    const link = await findLink(trx, ref)
    if (!link) throw notFound('Link')
    if (hasChange(link, change)) return presentLink(link)
    if (link.is_person && password) throw hasNoPassword()
    if (!link.is_person && person) throw notOfPerson()
    const email = person?.email
    const now = deps.clock()
    const expires = endAfter(now, expiresAt)
    await changeLink(
      trx,
      ref,
      {
        ...(name !== undefined && { name }),
        ...(passwordHash !== undefined && { passwordHash }),
        ...(expires !== undefined && { expiresAt: expires }),
      },
      change.change,
    )
    if (email !== undefined) await setPersonEmail(deps, trx, { ...ref, email, caller })
    await record(trx, caller, { kind: 'link_changed', ...ref, name: name ?? link.name, now })
    return presentStored(trx, ref)
  })
  if (person?.email) deps.emailQueues?.followers.wake()
  return changed
}

/** Gives a link a new address, which cannot be shown again; the former one ends. Throws `not_found` or `forbidden`. */
export function renewShareLink(
  deps: Deps,
  caller: Caller,
  ref: LinkRef,
): Promise<CallResponse<Calls['renewShareLink']>> {
  return changeProject(deps, caller, 'project:edit', ref, async (trx) => {
    const { token, tokenHash } = createToken()
    if (!(await changeLink(trx, ref, { tokenHash }, null))) throw notFound('Link')
    const link = await presentStored(trx, ref)
    await record(trx, caller, { kind: 'link_renewed', ...ref, name: link.name, now: deps.clock() })
    return { link, url: addressOf(deps, token) }
  })
}

/** Revokes a link. Throws `not_found` or `forbidden`. */
export async function revokeShareLink(deps: AppDeps, caller: Caller, ref: LinkRef): Promise<void> {
  await changeProject(deps, caller, 'project:edit', ref, async (trx) => {
    const name = await deleteLink(trx, ref)
    if (name === undefined) throw notFound('Link')
    await record(trx, caller, { kind: 'link_revoked', ...ref, name, now: deps.clock() })
  })
}

type Recorded = { kind: ActivityKind; projectId: string; name: string; now: Date }

const record = (trx: Transaction<Schema>, caller: Caller, { name, kind, projectId, now }: Recorded) =>
  recordActivity(trx, { kind, projectId, actorId: caller.userId, subject: name, now })

async function presentStored(trx: Transaction<Schema>, ref: LinkRef): Promise<ShareLink> {
  const link = await findLink(trx, ref)
  if (!link) throw notFound('Link')
  return presentLink(link)
}

const presentLink = (row: ShareLinkRecord): ShareLink => ({
  _id: row.id,
  name: row.name,
  entry: row.entry,
  fromEntry: row.from_entry,
  fromDay: row.from_day,
  hasPassword: row.has_password,
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedOn: row.last_used_on,
  createdAt: row.created_at.toISOString(),
  person: row.is_person ? { email: row.email, isConfirmed: row.is_confirmed } : null,
})

/** Returns the links of an own project for the download of all data. */
export async function exportShareLinks(
  deps: AppDeps,
  caller: Caller,
  { projectId, isOwn }: ExportedProject,
): Promise<{ links?: ShareLink[] }> {
  return isOwn && hasScope(caller, 'manage') ? { links: await listShareLinks(deps, caller, projectId) } : {}
}
