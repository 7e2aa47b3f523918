import type { ImportPlan } from '#contract/imports.ts'
import { refOf } from './converting/documents.ts'
import { COPIES_MAX, picturesElsewhere } from './elsewhere/addresses.ts'
import { type EntryItem, type Problems, Refused, type Source } from './items.ts'
import { readLines } from './lines.ts'
import type { Targets } from './resolve.ts'

/** How many tags and authors a plan shows. */
const NAMES_MAX = 200
/** A plan names each of them, and is sent whole. */
const GROUPS_MAX = 10_000

type PlannedProject = ImportPlan['projects'][number]

/** Counts what an archive will become. */
export async function planOf(
  lines: string,
  { source, problems, targets }: { source: Source; problems: Problems; targets: Targets },
): Promise<ImportPlan> {
  const projects = new Map<string, PlannedProject>()
  const milestones = new Map<string, { project: string; shown: PlannedProject['milestones'][number] }>()
  const authors = new Map<string, number>()
  const tags = new Map<string, number>()
  const elsewhere = new Set<string>()
  const plan = { drafts: 0, here: 0, bytes: 0, files: 0, entries: 0 }
  let from: string | null = null
  let until: string | null = null

  function count(item: EntryItem) {
    const milestone = milestones.get(item.milestone)
    const project = milestone && projects.get(milestone.project)
    if (milestone) milestone.shown.entries += 1
    if (project) project.entries += 1
    plan.entries += 1
    if (item.isDraft) plan.drafts += 1
    if (targets.isHere(item.ref)) plan.here += 1
    if (item.author) authors.set(item.author, (authors.get(item.author) ?? 0) + 1)
    // An id in place of the address, which would keep the whole text in memory.
    for (const address of [...picturesElsewhere(item.content), item.coverAddress ?? []].flat())
      if (elsewhere.size < COPIES_MAX) elsewhere.add(refOf('copy', address))
    for (const tag of item.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1)
    const { on } = item.happened
    if (from === null || on < from) from = on
    if (until === null || on > until) until = on
  }

  for await (const item of readLines(lines)) {
    if (item.kind === 'project')
      projects.set(item.ref, { key: item.ref, title: item.title, entries: 0, milestones: [] })
    else if (item.kind === 'milestone') {
      const shown = { key: item.ref, title: item.title, entries: 0 }
      projects.get(item.project)?.milestones.push(shown)
      milestones.set(item.ref, { project: item.project, shown })
      if (projects.size + milestones.size > GROUPS_MAX)
        throw new Refused(
          `It would become more than ${GROUPS_MAX.toLocaleString('en')} projects and milestones. Import it in parts.`,
        )
    } else if (item.kind === 'file') {
      plan.files += 1
      plan.bytes += item.size
    } else if (item.kind === 'entry') count(item)
  }
  const { files, entries, ...rest } = plan
  return {
    source,
    projects: [...projects.values()],
    counts: { projects: projects.size, milestones: milestones.size, entries, files },
    ...rest,
    elsewhere: elsewhere.size,
    from,
    until,
    authors: mostFirst(authors),
    tags: mostFirst(tags),
    problems,
  }
}

const mostFirst = (counts: Map<string, number>) =>
  [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, NAMES_MAX)
