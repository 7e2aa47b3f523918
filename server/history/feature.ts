import type { Feature } from '#server/feature.ts'
import { historyRoutes } from './routes.ts'
import { forgetAuthor } from './store.ts'
import { historySweep } from './thinning.ts'

export const historyFeature: Feature = {
  name: 'history',
  routes: ({ serve, deps }) => historyRoutes(serve, deps),
  tasks: (deps) => [historySweep(deps)],
  forget: (trx, { userId }) => forgetAuthor(trx, userId),
  tables: {
    entry_revisions: {
      exported: 'projects.milestones.entries.versions',
      forgotten: 'anonymize',
      trash: 'parent',
    },
  },
  functions: ['history_counted', 'author_history_deleted'],
}
