import type { WorldEntry, WorldPage } from '#contract/world.ts'

const at = '2026-03-01T12:00:00.000Z'

const project = {
  _id: 'p',
  title: 'Bread',
  description: 'From scratch',
  isPublic: true,
  visibility: 'public' as const,
  createdAt: at,
  progress: 0,
  lastEntryAt: at,
  user: { name: 'Ada Lovelace' },
  emailsFollowers: true,
  offersDownloads: false,
  takesReactions: false,
}

/** Builds a public project with these milestones, one of which is shown. */
export function aPublicPage(milestones: string[], shown?: { _id: string; page?: number }): WorldPage {
  const { _id = '', page = 1 } = shown ?? {}
  const pagination = {
    totalItems: 0,
    totalPages: page === 1 ? 0 : page,
    currentPage: page,
    hasPrev: page > 1,
    hasNext: false,
    limit: 12,
  }
  return {
    project,
    milestones: milestones.map((id) => ({
      _id: id,
      title: id,
      completed: false,
      entryCount: 0,
      createdAt: at,
      reachedAt: null,
      startsOn: null,
      dueOn: null,
    })),
    timeline: {
      total: milestones.length,
      completed: 0,
      earlier: null,
      later: null,
      stops: milestones.map((id) => ({ milestone: id, title: id, completed: false })),
    },
    latest: null,
    entryCount: 0,
    days: [],
    first: null,
    following: null,
    tagged: null,
    shown: shown ? { _id, title: _id, description: 'What it is about', entries: [], pagination } : null,
  }
}

export function aPublicEntry(fields: Partial<WorldEntry['entry']> & { _id: string }): WorldEntry {
  return {
    project,
    milestone: { _id: 'm', title: 'A loaf that rises' },
    entry: {
      title: fields._id,
      content: 'Text',
      html: '<div class="prose"><p>Text</p></div>',
      headings: [],
      excerpt: 'Text',
      wordCount: 1,
      renderedAs: 'markdown',
      tags: [],
      milestone: 'm',
      happenedAt: at,
      happenedOn: '2026-03-01',
      happenedZone: 'UTC',
      author: { name: 'Ada Lovelace' },
      state: 'published',
      publishedAt: at,
      createdAt: at,
      updatedAt: at,
      version: 1,
      ...fields,
    },
    previous: null,
    next: null,
  }
}
