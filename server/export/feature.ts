import type { Feature } from '#server/feature.ts'
import { exportRoutes } from './routes.ts'

export const exportFeature: Feature = {
  name: 'export',
  routes: ({ api, serve, deps, features, options: { publicUrl } }) =>
    exportRoutes(api, serve, deps, { features, publicUrl }),
}
