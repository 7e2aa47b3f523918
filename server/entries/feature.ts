import type { Feature } from '#server/feature.ts'
import { expiryOfBulkChanges } from './bulk/record.ts'
import { publishingOfDue } from './publish-due.ts'
import { startRerendering } from './rerendering.ts'
import { entryRoutes } from './routes.ts'

export const entryFeature: Feature = {
  name: 'entries',
  routes: ({ serve, deps, options }) => entryRoutes(serve, deps, options),
  jobs: startRerendering,
  tasks: (deps) => [publishingOfDue(deps), expiryOfBulkChanges(deps)],
  tables: {
    images: { exported: { not: 'its rows became files' }, forgotten: 'nobody', backup: 'dropped' },
    entries: { exported: 'projects.milestones.entries', forgotten: 'anonymize', trash: 'mark' },
    entry_schedules: {
      exported: { not: 'a time to come: the entry is exported as a draft' },
      forgotten: 'cascade',
      trash: 'parent',
    },
    entry_tags: { exported: 'projects.milestones.entries.tags', forgotten: 'expire', trash: 'parent' },
    milestone_tags: { exported: 'projects.milestones.entries.tags', forgotten: 'expire', trash: 'parent' },
    bulk_changes: { exported: { not: 'what can be undone for a day' }, forgotten: 'cascade' },
    bulk_change_entries: { exported: { not: 'what can be undone for a day' }, forgotten: 'cascade' },
    entry_renderings: {
      exported: { not: 'derived from the entries' },
      forgotten: 'cascade',
      trash: 'parent',
    },
  },
  functions: [
    'entry_completed',
    'entries_changed',
    'entries_tagged',
    'entry_tags_changed',
    'author_renamed',
    'author_deleted',
    'last_entry_at',
    'newest_cover',
  ],
  droppedFunctions: ['entry_images_changed'],
}
