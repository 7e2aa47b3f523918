import type { Feature } from '#server/feature.ts'
import { presenceRoutes } from './routes.ts'
import { presenceSweep } from './service.ts'

export const presenceFeature: Feature = {
  name: 'presence',
  routes: ({ serve, deps }) => presenceRoutes(serve, deps),
  tasks: (deps) => [presenceSweep(deps)],
  tables: {
    entry_editors: {
      exported: { not: 'lives for seconds' },
      forgotten: 'expire',
      trash: 'parent',
      backup: 'refill',
    },
  },
}
