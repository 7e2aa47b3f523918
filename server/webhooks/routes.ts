import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  switchWebhook,
  testWebhook,
} from './service.ts'

export function webhookRoutes(serve: Serve, deps: AppDeps): void {
  serve('listWebhooks', ({ caller, params }) => listWebhooks(deps, caller, params.projectId))
  serve('createWebhook', ({ caller, params, body, change }) =>
    createWebhook(deps, caller, params.projectId, body, change),
  )
  serve('switchWebhook', ({ caller, params, body }) => switchWebhook(deps, caller, params, body))
  serve('rotateWebhookSecret', ({ caller, params }) => rotateWebhookSecret(deps, caller, params))
  serve('testWebhook', ({ caller, params }) => testWebhook(deps, caller, params))
  serve('deleteWebhook', ({ caller, params }) => deleteWebhook(deps, caller, params))
  serve('listDeliveries', ({ caller, params }) => listDeliveries(deps, caller, params))
}
