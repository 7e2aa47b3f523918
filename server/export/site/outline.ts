import type { ExportScope } from '#contract/export.ts'
import { STORY_ENTRIES_PER_PAGE } from '#contract/story.ts'
import { WORLD_ENTRIES_PER_PAGE, type World } from '#contract/world.ts'
import type { AppDeps } from '#server/deps.ts'
import { listOwnProjects } from '#server/export/access.ts'
import { createFolder, slugOf } from '#server/files/archive/names.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { type AllPages, openAllPages } from '#server/public/all-pages.ts'
import { listSiteEntries, listSiteMilestones, listSiteTags } from './store.ts'

/** The parts of a project that have files of their own. */
export type Outline = {
  project: World['project']
  pages: AllPages
  /** The folder of its pages, with a slash at its end; empty in the site of one project. */
  folder: string
  milestones: { id: string; title: string; description: string; pages: number }[]
  /** Tags with the number of their pages. */
  tags: { tag: string; pages: number }[]
  /** In the order of the story. `milestone`: its id. */
  entries: { id: string; title: string; on: string; milestone: string }[]
  storyPages: number
  /** Whether it has a page that searches it. */
  hasSearch: boolean
}

/** What a site shows: a project, or all projects of a person. */
export type SiteScope = Exclude<ExportScope, { entry: string }>

/** Returns the outlines of the projects of a site. Throws `not_found`. */
export async function outlinesOf(
  deps: AppDeps,
  caller: Caller | null,
  { scope, hasSearch }: { scope: SiteScope; hasSearch: boolean },
): Promise<Outline[]> {
  const folders = createFolder()
  const outlines: Outline[] = []
  const projects = scope === 'account' ? await listOwnProjects(deps.db, caller) : [scope.project]
  for (const projectId of projects) {
    const shown = { projectId, forMembers: caller !== null }
    const pages = await openAllPages(deps, shown)
    const { project } = pages
    const folder = scope === 'account' ? `${folders(slugOf(project.title))}/` : ''
    outlines.push({ project, pages, folder, hasSearch, ...(await partsOf(deps, projectId)) })
  }
  return outlines
}

async function partsOf({ db }: AppDeps, projectId: string) {
  const milestones = await listSiteMilestones(db, projectId)
  const entries = await listSiteEntries(db, projectId)
  const tags = await listSiteTags(db, projectId)
  const pages = (count: number) => Math.max(1, Math.ceil(count / WORLD_ENTRIES_PER_PAGE))
  return {
    milestones: milestones.map(({ entry_count: count, ...milestone }) => ({
      ...milestone,
      pages: pages(count),
    })),
    tags: tags.map(({ tag, entries: count }) => ({ tag, pages: pages(count) })),
    entries,
    storyPages: Math.ceil(entries.length / STORY_ENTRIES_PER_PAGE),
  }
}
