import type { Feature } from '#server/feature.ts'
import { exportRoutes } from './routes.ts'

export const exportFeature: Feature = {
  name: 'export',
  routes: ({ api, serve, deps, features }) => exportRoutes(api, serve, deps, features),
}
