import { type ProjectAddress, SLUGS_MAX, slug as slugSchema } from '#contract/addresses.ts'
import { changeProject } from '#server/change-project.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject } from '#server/feature-subjects.ts'
import { hasScope, requireAccess, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict } from '#server/platform/api/errors.ts'
import { findProjectWithSlug, listSlugs, retireSlugs, takeSlug } from './store.ts'

/** Returns the readable address of a project. Throws `not_found` or `forbidden`. */
export async function readAddress(
  { db }: AppDeps,
  caller: Caller,
  projectId: string,
): Promise<ProjectAddress> {
  await requireAccess(db, caller, 'project:edit', { projectId })
  return presentSlugs(await listSlugs(db, projectId))
}

/**
 * Gives a project a readable address, or none. The former ones remain its own and lead to it. Throws `not_found`, `forbidden`, and
 * `conflict` for an address of another project, whether or not that can be seen, and for too many.
 */
export function changeAddress(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  slug: string | null,
): Promise<ProjectAddress> {
  return changeProject(deps, caller, 'project:edit', { projectId }, async (trx, access) => {
    requirePublishing(caller, access)
    const slugs = await listSlugs(trx, projectId)
    const isOwn = slugs.some((own) => own.slug === slug)
    if (slug !== null && !isOwn && slugs.length >= SLUGS_MAX)
      throw conflict(
        `A project has at most ${SLUGS_MAX} addresses, with the former ones. Choose one of those.`,
      )
    await retireSlugs(trx, projectId)
    if (slug !== null && !(await takeSlug(trx, { projectId, slug, now: deps.clock() })))
      throw conflict('This address is taken. Please choose another.')
    return presentSlugs(await listSlugs(trx, projectId))
  })
}

const presentSlugs = (slugs: { slug: string; is_current: boolean }[]): ProjectAddress => ({
  slug: slugs.find(({ is_current }) => is_current)?.slug ?? null,
  former: slugs.filter(({ is_current }) => !is_current).map(({ slug }) => slug),
})

/** Returns the id of the public project with a readable address; null if there is none, or it is not public. */
export async function findProjectAt(db: Db, text: string): Promise<string | null> {
  const { data } = slugSchema.safeParse(text)
  return data === undefined ? null : findProjectWithSlug(db, data)
}

/** Returns the readable addresses of an own project for the download of all data. */
export async function exportAddress(
  deps: AppDeps,
  caller: Caller,
  { projectId, isOwn }: ExportedProject,
): Promise<{ address?: ProjectAddress }> {
  return isOwn && hasScope(caller, 'manage') ? { address: await readAddress(deps, caller, projectId) } : {}
}
