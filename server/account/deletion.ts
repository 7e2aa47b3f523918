import type { Transaction } from 'kysely'
import type { z } from 'zod'
import {
  type DeletionPreview,
  type deletionFields,
  LEAVING_DAYS,
  type SharedProject,
} from '#contract/account.ts'
import { isolateBidi } from '#contract/characters.ts'
import { forgetInAdministration } from '#server/administration/audit.ts'
import { emailProof } from '#server/collaborators/invitation-proof.ts'
import { publishToInvited } from '#server/collaborators/notifications.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { KeepHook } from '#server/identity/identity.ts'
import { deletionOf } from '#server/identity/sessions.ts'
import { requireAnotherAdministrator } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/calls.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { moveToTrash, restoreProjects } from '#server/trash/mark.ts'
import { purgeProject } from '#server/trash/purge.ts'
import {
  countLiveProjects,
  deleteAllAccess,
  deleteUser,
  findLeft,
  forgetEmail,
  forgetInJobs,
  forgetInNotifications,
  forgetName,
  hasOthers,
  listFormerEmails,
  listOwned,
  listSharedWith,
  listTouched,
  lockLeft,
  lockLiveProjects,
  markLeaving,
} from './deletion-store.ts'
import { requireAccount } from './service.ts'

/** Returns what deleting the caller's account comes to. */
export async function previewDeletion({ db }: AppDeps, { userId }: Caller): Promise<DeletionPreview> {
  const shared = new Map<string, SharedProject>()
  for (const { project_id, title, id, name, is_staying } of await listSharedWith(db, userId)) {
    const project = shared.get(project_id) ?? { _id: project_id, title, members: [] }
    shared.set(project_id, project)
    if (is_staying) project.members.push({ _id: id, name })
  }
  return { projects: await countLiveProjects(db, userId), shared: [...shared.values()] }
}

/**
 * Begins to delete the caller's account: its projects leave the web at once, and every session ends. Throws `invalid`
 * without the proof that it is theirs, and `conflict` while others are members of their projects.
 */
export async function deleteAccount(
  deps: AppDeps,
  caller: Caller,
  fields: z.output<typeof deletionFields>,
): Promise<{ deletesAt: string }> {
  const { userId } = caller
  const { subject, email } = await requireAccount(deps, caller)
  await requireProof(deps, { subject, email }, fields)
  const now = deps.clock()
  await transact(deps, async (trx, publish) => {
    if (!(await markLeaving(trx, userId, now))) throw conflict('This account is being deleted already')
    const projects = await lockLiveProjects(trx, userId)
    if ((await listSharedWith(trx, userId)).length > 0) throw stillShared()
    for (const { id: projectId, title: subject } of projects) {
      await publishToInvited({ trx, publish }, projectId)
      await moveToTrash(trx, { projectId }, { subject, deletedBy: userId, now })
      publish({ person: userId, project: projectId })
    }
    await deleteAllAccess(trx, userId)
    await requireAnotherOrAlone(trx, userId)
    await deps.emailQueues?.leaving.add(trx, userId)
  })
  deps.emailQueues?.leaving.wake()
  return { deletesAt: deletionOf(now).toISOString() }
}

/** Requires that others on this server keep an administrator. */
async function requireAnotherOrAlone(trx: Transaction<Schema>, userId: string): Promise<void> {
  if (!(await hasOthers(trx, userId))) return
  await requireAnotherAdministrator(
    trx,
    userId,
    'You are the last administrator of this server. Make somebody else one first.',
  )
}

/** Ends all sessions of an account, and with them its tokens and streams, and the links to reset its password. */
export const endAllAccess = (trx: Transaction<Schema>, userId: string): Promise<void> =>
  deleteAllAccess(trx, userId)

/** Deletes an account at once that nobody has ever been signed in to. */
export async function deleteUnusedAccount(trx: Transaction<Schema>, userId: string): Promise<void> {
  await deleteUser(trx, userId)
}

/** Requires the password or, of an account without one, its email. */
async function requireProof(
  { identity: { passwords } }: AppDeps,
  { subject, email }: { subject: string; email: string },
  fields: z.output<typeof deletionFields>,
): Promise<void> {
  if (passwords && (await passwords.isSet(subject))) {
    if (fields.currentPassword === undefined)
      throw invalid([{ path: 'currentPassword', message: 'Enter your password' }])
    return passwords.verify(subject, fields.currentPassword)
  }
  if (fields.email?.toLowerCase() !== email.toLowerCase())
    throw invalid([{ path: 'email', message: 'Enter the email address of your account' }])
}

const stillShared = () =>
  conflict('Others are members of your projects. Hand these projects over or delete them first, one by one.')

/** Restores the projects that went with an account which is kept after all. */
export function createKeepHook({ events, clock }: Pick<AppDeps, 'events' | 'clock'>): KeepHook {
  return async (trx, { userId, since }) => {
    const pending: AppEvent[] = []
    const publish = (...more: AppEvent[]) => void pending.push(...more)
    for (const project of await restoreProjects(trx, { ownerId: userId, deletedAt: since, now: clock() })) {
      publish({ project })
      await publishToInvited({ trx, publish }, project)
    }
    return () => events.publish(...pending)
  }
}

const DAY_MS = 24 * 60 * 60_000
/** So that no server whose clock is ahead deletes what another one still lets people keep. */
const MARGIN_MS = 60 * 60_000

type PurgeDeps = Pick<AppDeps, 'db' | 'events' | 'sendsMail' | 'trashDays' | 'clock'>

/**
 * Deletes for ever the accounts whose time is over: first their projects, then themselves. What they wrote in projects of
 * others stays, by a former member. Processes that do so at the same time take turns.
 */
export async function purgeAccounts(deps: PurgeDeps): Promise<void> {
  const before = new Date(deps.clock().getTime() - LEAVING_DAYS * DAY_MS - MARGIN_MS)
  for (;;) {
    const left = await findLeft(deps.db, before)
    if (!left) return
    for (const projectId of await listOwned(deps.db, left.id)) await purgeProject(deps, projectId, left.id)
    if (!(await purgeAccount(deps, left.id, before))) return
  }
}

function purgeAccount(deps: PurgeDeps, id: string, before: Date): Promise<boolean> {
  return transact(deps, async (trx, publish) => {
    const user = await lockLeft(trx, id, before)
    if (!user) return false
    const touched = await listTouched(trx, id)
    const proof = emailProof(deps, user)
    if (proof !== 'unproven')
      await forgetEmail(trx, { userId: id, email: user.email, isProven: proof === 'proven' })
    await forgetInAdministration(trx, user.email)
    for (const email of await listFormerEmails(trx, id)) await forgetFormerEmail(trx, id, email)
    if (user.name !== '') await forgetInNotifications(trx, isolateBidi(user.name))
    await forgetInJobs(trx, user.email)
    await forgetName(trx, id)
    await deleteUser(trx, id)
    publish(...touched.map((project) => ({ project })))
    return true
  })
}

/** Somebody else may have the email by now: of the invitations to it, only those that this account was notified of go. */
async function forgetFormerEmail(trx: Transaction<Schema>, userId: string, email: string): Promise<void> {
  await forgetEmail(trx, { userId, email, isProven: false })
  await forgetInAdministration(trx, email)
  await forgetInJobs(trx, email)
}

const PAUSE_MS = 60_000

/** Deletes accounts at regular intervals. */
export const accountPurge = (deps: PurgeDeps): ScheduledTask => ({
  name: 'deletion of accounts',
  everyMs: PAUSE_MS,
  run: () => purgeAccounts(deps),
})
