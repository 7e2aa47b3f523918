import type { Feature } from '#server/feature.ts'
import { searchRoutes } from './routes.ts'
import { searchTasks, warnWithoutTrigrams } from './upkeep.ts'

export const searchFeature: Feature = {
  name: 'search',
  routes: ({ serve, options }) => searchRoutes(serve, options),
  tasks: searchTasks,
  jobs: warnWithoutTrigrams,
  tables: {
    search_documents: {
      exported: { not: 'derived from what is found' },
      forgotten: 'anonymize',
      backup: 'refill',
    },
    search_queue: { exported: { not: 'ids of changes' }, forgotten: 'cascade', backup: 'refill' },
    search_words: { exported: { not: 'derived from what is found' }, forgotten: 'expire', backup: 'refill' },
    search_state: { exported: { not: 'of the server' }, forgotten: 'nobody', backup: 'refill' },
  },
  functions: ['projects_searched', 'milestones_searched', 'entries_searched'],
}
