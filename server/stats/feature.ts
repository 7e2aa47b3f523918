import type { Feature } from '#server/feature.ts'
import { statsRoutes } from './routes.ts'

export const statsFeature: Feature = {
  name: 'stats',
  routes: ({ serve, deps }) => statsRoutes(serve, deps),
}
