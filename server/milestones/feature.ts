import type { Feature } from '#server/feature.ts'
import { milestoneRoutes } from './routes.ts'

export const milestoneFeature: Feature = {
  name: 'milestones',
  routes: ({ serve, deps }) => milestoneRoutes(serve, deps),
  tables: {
    milestones: { exported: 'projects.milestones', forgotten: 'cascade', trash: 'mark' },
  },
  functions: [
    'milestone_changed',
    'milestone_completed',
    'milestones_changed',
    'milestones_moved',
    'position_after',
  ],
}
