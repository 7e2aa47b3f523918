import type { Feature } from '#server/feature.ts'
import { notificationRoutes } from './routes.ts'
import { exportNotifications, notificationSweep, tokenReaderOf } from './service.ts'
import { forgetNamed } from './store.ts'

export const notificationFeature: Feature = {
  name: 'notifications',
  routes: ({ serve, deps, features }) => notificationRoutes(serve, deps, tokenReaderOf(features)),
  tasks: (deps) => [notificationSweep(deps)],
  exportAccount: async (deps, caller) => ({ notifications: exportNotifications(deps, caller) }),
  forget: forgetNamed,
  tables: {
    notifications: { exported: 'notifications', forgotten: 'anonymize' },
  },
}
