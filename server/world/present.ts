import type { Entry } from '#contract/entries.ts'
import type { Milestone } from '#contract/milestones.ts'
import type { Project } from '#contract/projects.ts'
import type { World } from '#contract/world.ts'

/** How a nameless owner is shown. */
const ANONYMOUS = 'Anonymous'

/** What the world sees: of the owner a name, never an id or an address. */
export function presentWorld(
  project: Project,
  ownerName: string,
  milestones: Milestone[],
  entries: Entry[],
): World {
  const entriesOf = Map.groupBy(entries, (entry) => entry.milestone)
  return {
    project: {
      _id: project._id,
      title: project.title,
      description: project.description,
      isPublic: project.isPublic,
      createdAt: project.createdAt,
      progress: project.progress,
      user: { name: ownerName.trim() || ANONYMOUS },
    },
    milestones: milestones.map((milestone) => ({
      ...milestone,
      entries: entriesOf.get(milestone._id) ?? [],
    })),
  }
}
