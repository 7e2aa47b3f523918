import type { Feature } from '#server/feature.ts'
import { remindingOfDue } from './due.ts'
import { watchingRoutes } from './routes.ts'
import { exportWatch } from './service.ts'

export const watchingFeature: Feature = {
  name: 'watching',
  routes: ({ serve, deps }) => watchingRoutes(serve, deps),
  tasks: (deps) => [remindingOfDue(deps)],
  exportProject: exportWatch,
  tables: {
    project_watches: { exported: 'projects.watch', forgotten: 'cascade', trash: 'parent' },
    entry_mentions: { exported: { not: 'the texts have the names' }, forgotten: 'cascade', trash: 'parent' },
    milestone_reminders: {
      exported: { not: 'marks of what was sent' },
      forgotten: 'cascade',
      trash: 'parent',
    },
  },
}
