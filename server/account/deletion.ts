import type { Transaction } from 'kysely'
import type { z } from 'zod'
import {
  type DeletionPreview,
  type deletionFields,
  LEAVING_DAYS,
  type SharedProject,
} from '#contract/account.ts'
import { normalEmail } from '#contract/email.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import { publishToInvited } from '#server/collaborators/invitation-links.ts'
import { emailProof } from '#server/collaborators/invitation-proof.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import type { ForgottenPerson } from '#server/feature-subjects.ts'
import type { DeletionCancelledHook } from '#server/identity/identity.ts'
import { deletionOf } from '#server/identity/open-session.ts'
import { requireAnotherAdministrator } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, invalid } from '#server/platform/api/errors.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { moveToTrash, restoreProjects } from '#server/trash/mark.ts'
import { purgeProject } from '#server/trash/purge.ts'
import {
  allowLongStatements,
  anonymizeJobs,
  anonymizeName,
  countLiveProjects,
  deleteAllAccess,
  deleteUser,
  findDueAccount,
  hasOthers,
  listFormerEmails,
  listOwned,
  listProjectsOfOthers,
  listSharedWith,
  lockDueAccount,
  lockLiveProjects,
  markLeaving,
} from './deletion-store.ts'
import { requireAccount } from './service.ts'

/** Returns what the deletion of the caller's account would delete. */
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
 * Starts the deletion of the caller's account: its projects are no longer public, and all its sessions end. Throws `invalid`
 * for another email than that of the account, and `conflict` while their projects have other members.
 */
export async function deleteAccount(
  deps: AppDeps,
  caller: Caller,
  fields: z.output<typeof deletionFields>,
): Promise<{ deletesAt: string }> {
  const { userId } = caller
  const { email } = await requireAccount(deps, caller)
  if (normalEmail(fields.email).toLowerCase() !== email.toLowerCase())
    throw invalid([{ path: 'email', message: 'Enter the email address of your account' }])
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

/** Requires that an administrator remains, if other accounts do. */
async function requireAnotherOrAlone(trx: Transaction<Schema>, userId: string): Promise<void> {
  if (!(await hasOthers(trx, userId))) return
  await requireAnotherAdministrator(
    trx,
    userId,
    'You are the last administrator of this server. Make somebody else one first.',
  )
}

/** Ends all sessions of an account with their tokens and streams, and deletes its password reset links. */
export const endAllAccess = (trx: Transaction<Schema>, userId: string): Promise<void> =>
  deleteAllAccess(trx, userId)

/** Immediately deletes an account that was never signed in to. */
export async function deleteUnusedAccount(trx: Transaction<Schema>, userId: string): Promise<void> {
  await deleteUser(trx, userId)
}

const stillShared = () =>
  conflict('Others are members of your projects. Transfer or delete these projects first, one by one.')

/** Restores the projects of an account whose deletion is canceled. */
export function createDeletionCancelledHook({
  events,
  clock,
}: Pick<AppDeps, 'events' | 'clock'>): DeletionCancelledHook {
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

/** Allows for clock skew: no server deletes an account that another server still lets its owner keep. */
const MARGIN_MS = 60 * 60_000

type PurgeDeps = Pick<AppDeps, 'db' | 'events' | 'sendsMail' | 'trashDays' | 'clock'> & {
  features: readonly Feature[]
}

/**
 * Permanently deletes the accounts that are due: first their projects, then the accounts. What they wrote in projects of
 * others remains, attributed to a former member. Concurrent processes take turns. Ends after the current batch if `stop` is aborted.
 */
export async function purgeAccounts(deps: PurgeDeps, stop?: AbortSignal): Promise<void> {
  const before = new Date(deps.clock().getTime() - LEAVING_DAYS * DAY_MS - MARGIN_MS)
  for (;;) {
    const left = await findDueAccount(deps.db, before)
    if (!left) return
    for (const projectId of await listOwned(deps.db, left.id))
      await purgeProject(deps, { projectId, deletedBy: left.id }, stop)
    if (stop?.aborted) return
    if (!(await purgeAccount(deps, left.id, before))) return
  }
}

function purgeAccount(deps: PurgeDeps, id: string, before: Date): Promise<boolean> {
  return transact(deps, async (trx, publish) => {
    const user = await lockDueAccount(trx, id, before)
    if (!user) return false
    await allowLongStatements(trx)
    const touched = await listProjectsOfOthers(trx, id)
    const former = await listFormerEmails(trx, id)
    const proof = emailProof(deps, user)
    const person: ForgottenPerson = {
      userId: id,
      name: user.name,
      emails: [user.email, ...former],
      ownEmails: [
        ...(proof === 'unproven' ? [] : [{ email: user.email, isProven: proof === 'proven' }]),
        // Another person may have it now.
        ...former.map((email) => ({ email, isProven: false })),
      ],
    }
    for (const { forget } of deps.features) await forget?.(trx, person)
    for (const email of person.emails) await anonymizeJobs(trx, email)
    await anonymizeName(trx, id)
    await deleteUser(trx, id)
    publish(...touched.map((project) => ({ project })))
    return true
  })
}

const PAUSE_MS = 60_000

/** Schedules the deletion of accounts that are due. */
export const accountPurge = (deps: PurgeDeps): ScheduledTask => ({
  name: 'deletion of accounts',
  everyMs: PAUSE_MS,
  run: (stop) => purgeAccounts(deps, stop),
})
