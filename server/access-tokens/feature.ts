import type { Feature } from '#server/feature.ts'
import { openAccessTokenEmails } from './emails.ts'
import { accessTokenRoutes } from './routes.ts'
import { listAccessTokens } from './service.ts'

export const accessTokenFeature: Feature = {
  name: 'access-tokens',
  routes: ({ serve, deps }) => accessTokenRoutes(serve, deps),
  emailQueues: {
    accessTokens: { open: openAccessTokenEmails, limited: { not: 'only its owner makes an access token' } },
  },
  exportAccount: async (deps, caller) => ({ accessTokens: await listAccessTokens(deps, caller) }),
  tables: {
    access_tokens: { exported: 'accessTokens', forgotten: 'cascade' },
  },
}
