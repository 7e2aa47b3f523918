import type { Transaction } from 'kysely'
import type { Readers, ReadersChange } from '#contract/followers.ts'
import { changeProject } from '#server/change-project.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject, ForgottenPerson } from '#server/feature-subjects.ts'
import { hasScope, requireAccess, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { deleteFollowersAt, findReaders, setOffered } from './store.ts'

/** Returns what a project offers its readers. Throws `not_found` or `forbidden`. */
export async function readReaders(deps: AppDeps, caller: Caller, projectId: string): Promise<Readers> {
  await requireAccess(deps.db, caller, 'project:edit', { projectId })
  return presentReaders(deps, deps.db, projectId)
}

/** Changes what a project offers its readers. Throws `not_found` or `forbidden`. */
export function changeReaders(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  change: ReadersChange,
): Promise<Readers> {
  return changeProject(deps, caller, 'project:edit', { projectId }, async (trx, access) => {
    requirePublishing(caller, access)
    const chosen = Object.entries(change).filter(([, value]) => value !== undefined)
    if (chosen.length > 0) await setOffered(trx, projectId, Object.fromEntries(chosen))
    return presentReaders(deps, trx, projectId)
  })
}

async function presentReaders({ sendsMail }: AppDeps, db: Db, projectId: string): Promise<Readers> {
  const row = await findReaders(db, projectId)
  if (!row) throw notFound('Project')
  return { ...row, sendsMail }
}

/** Returns what an own project offers its readers for the download of all data, without the addresses of who follows it. */
export async function exportReaders(
  deps: AppDeps,
  caller: Caller,
  { projectId, isOwn }: ExportedProject,
): Promise<{ readers?: Omit<Readers, 'sendsMail'> }> {
  if (!isOwn || !hasScope(caller, 'manage')) return {}
  const { sendsMail: _ofServer, ...readers } = await readReaders(deps, caller, projectId)
  return { readers }
}

/** Deletes what a person followed with the addresses that were surely theirs. */
export const forgetFollower = (trx: Transaction<Schema>, { ownEmails }: ForgottenPerson): Promise<void> =>
  deleteFollowersAt(
    trx,
    ownEmails.filter(({ isProven }) => isProven).map(({ email }) => email),
  )
