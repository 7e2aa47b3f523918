import type { Feature } from '#server/feature.ts'
import { calendarRoutes } from './routes.ts'

export const calendarFeature: Feature = {
  name: 'calendar',
  routes: ({ serve, deps }) => calendarRoutes(serve, deps),
  tables: {
    forgotten_anniversaries: {
      exported: { not: 'a choice of what the dashboard shows' },
      forgotten: 'cascade',
      trash: 'parent',
    },
  },
}
