import type { Entry } from '#contract/entries.ts'
import type { World, WorldMilestone } from '#contract/world.ts'

const at = '2026-03-01T12:00:00.000Z'

export function anEntry(fields: Partial<Entry> & { _id: string }): Entry {
  return {
    title: fields._id,
    content: 'Text',
    tags: [],
    milestone: 'm',
    createdAt: at,
    updatedAt: at,
    version: 1,
    ...fields,
  }
}

export function aMilestone(fields: Partial<WorldMilestone> & { _id: string }): WorldMilestone {
  const entries = fields.entries ?? []
  return {
    title: fields._id,
    description: 'What it is about',
    completed: false,
    createdAt: at,
    updatedAt: at,
    version: 1,
    project: 'p',
    entryCount: entries.length,
    ...fields,
    entries,
  }
}

export function aWorld(milestones: WorldMilestone[]): World {
  const project = {
    _id: 'p',
    title: 'Bread',
    description: 'From scratch',
    isPublic: true,
    createdAt: at,
    progress: 0,
  }
  return { project: { ...project, user: { name: 'Ada Lovelace' } }, milestones }
}
