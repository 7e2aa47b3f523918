import type { Feature } from '#server/feature.ts'
import { permissionRoutes } from './routes.ts'

export const permissionFeature: Feature = {
  name: 'permissions',
  routes: ({ serve, deps }) => permissionRoutes(serve, deps),
  functions: ['lock_access'],
}
