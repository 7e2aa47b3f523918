import {
  PROFILE_NAMES_MAX,
  PROFILE_PROJECTS_PER_PAGE,
  type Profile,
  type ProfileChange,
  type ProfileEntries,
  type ProfilePage,
  type ShownProfile,
} from '#contract/profiles.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { photoOf } from '#server/files/links.ts'
import { shownName } from '#server/files/people.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/api/errors.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import { transact } from '#server/platform/transact.ts'
import { listEntriesAcross, pageNotFound, readListedProjects } from '#server/public/service.ts'
import {
  countShown,
  findProfile,
  findShownProfile,
  listListedTitles,
  listNames,
  listShownNames,
  lockProfile,
  type ShownProfileRecord,
  saveProfile,
  takeName,
} from './store.ts'

/** Returns the settings of the caller's own page. */
export async function readProfile({ db }: Pick<AppDeps, 'db'>, { userId }: Caller): Promise<Profile> {
  return present(await findProfile(db, userId), await listNames(db, userId))
}

/**
 * Changes the caller's own page. Their former names remain theirs and lead to it. Throws `conflict` for a name of somebody else, whether or
 * not that person's page is on, and for too many; `invalid` for a page that is on without a name.
 */
export function changeProfile(
  deps: Pick<AppDeps, 'db' | 'events' | 'clock'>,
  caller: Caller,
  change: ProfileChange,
): Promise<Profile> {
  if (caller.grant?.projectIds)
    throw new AppError(
      'insufficient_scope',
      'This access token is limited to some projects and cannot change a page that lists all public ones',
    )
  const { userId } = caller
  return transact(deps, async (trx) => {
    const before = await lockProfile(trx, userId)
    const { name = before.name, about = before.about, isOn = before.is_on } = change
    if (isOn && name === null)
      throw invalid([{ path: 'name', message: 'Choose a name for your page before you switch it on' }])
    const names = await listNames(trx, userId)
    const isNew = name !== null && !names.some((own) => own.name === name)
    if (isNew && names.length >= PROFILE_NAMES_MAX)
      throw conflict(
        `A page has at most ${PROFILE_NAMES_MAX} names, with the former ones. Choose one of those.`,
      )
    if (isNew && !(await takeName(trx, { userId, name, now: deps.clock() })))
      throw conflict('This name is taken. Please choose another.')
    await saveProfile(trx, userId, { name, about, is_on: isOn })
    return present({ name, about, is_on: isOn }, await listNames(trx, userId))
  })
}

function present(profile: Awaited<ReturnType<typeof findProfile>>, names: { name: string }[]): Profile {
  const { name = null, about = '', is_on: isOn = false } = profile ?? {}
  return { name, former: names.map((row) => row.name).filter((other) => other !== name), about, isOn }
}

/** Returns a person's page. Throws `not_found` unless it is on, and `page_not_found` after its last page. */
export function readProfilePage(
  { db }: Pick<AppDeps, 'db'>,
  name: string,
  page: number,
): Promise<ProfilePage> {
  return inSnapshot(db, async (snapshot) => {
    const row = await requireShown(snapshot, name)
    const pagination = paginate(row.project_count, { page, limit: PROFILE_PROJECTS_PER_PAGE })
    if (page > pagination.currentPage) throw pageNotFound()
    const range = { ownerId: row.user_id, limit: PROFILE_PROJECTS_PER_PAGE, offset: offsetOf(pagination) }
    return { profile: presentShown(row), projects: await readListedProjects(snapshot, range), pagination }
  })
}

/** Returns the newest entries of a person's public and listed projects. Throws `not_found` unless their page is on. */
export async function listProfileEntries(deps: AppDeps, name: string): Promise<ProfileEntries> {
  let found: { row: ShownProfileRecord; titles: Map<string, string> } | undefined
  const entries = await listEntriesAcross(deps, async (db) => {
    const row = await requireShown(db, name)
    const titles = await listListedTitles(db, row.user_id)
    found = { row, titles: new Map(titles.map(({ id, title }) => [id, title])) }
    return [...found.titles.keys()]
  })
  if (!found) throw notFound('Page')
  const { row, titles } = found
  const dates = [row.changed_at.toISOString(), ...entries.map(({ updatedAt }) => updatedAt)]
  return {
    profile: presentShown(row),
    changedAt: dates.toSorted().at(-1) ?? row.changed_at.toISOString(),
    entries: entries.map(({ projectId, ...entry }) => ({
      ...entry,
      project: { _id: projectId, title: titles.get(projectId) ?? '' },
    })),
  }
}

async function requireShown(db: Db, name: string): Promise<ShownProfileRecord> {
  const row = await findShownProfile(db, name)
  if (!row) throw notFound('Page')
  return row
}

const presentShown = ({ name, display_name, about, picture }: ShownProfileRecord): ShownProfile => ({
  name,
  displayName: shownName(display_name),
  about,
  ...photoOf(picture, null),
})

/** The pages for the sitemap: those that are on and list a project. */
export const countProfiles = (db: Db): Promise<number> => countShown(db)

/** Returns the names of some of them. */
export const listProfileNames = (db: Db, range: { limit: number; offset: number }): Promise<string[]> =>
  listShownNames(db, range)
