import type { Feature } from '#server/feature.ts'
import { eventRoutes } from './routes.ts'

export const eventFeature: Feature = {
  name: 'events',
  routes: ({ api, deps, options }) => eventRoutes(api, deps, options),
}
