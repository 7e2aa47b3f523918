import type { Feature } from '#server/feature.ts'
import { deliverySweep, webhookDeliveries } from './deliver.ts'
import { webhookRoutes } from './routes.ts'
import { exportWebhooks } from './service.ts'

export const webhookFeature: Feature = {
  name: 'webhooks',
  routes: ({ serve, deps }) => webhookRoutes(serve, deps),
  tasks: (deps) => [webhookDeliveries(deps.deliverer), deliverySweep(deps)],
  exportProject: exportWebhooks,
  tables: {
    webhooks: { exported: 'projects.webhooks', forgotten: 'cascade', trash: 'parent' },
    webhook_deliveries: {
      exported: { not: 'copies of the activity, for a week' },
      forgotten: 'cascade',
      trash: 'parent',
    },
  },
  functions: ['promise_deliveries'],
}
