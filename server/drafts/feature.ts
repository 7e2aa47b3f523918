import type { Feature } from '#server/feature.ts'
import { exportDrafts } from './export.ts'
import { draftRoutes } from './routes.ts'

export const draftFeature: Feature = {
  name: 'drafts',
  routes: ({ serve, deps }) => draftRoutes(serve, deps),
  exportAccount: async (deps, caller, add) => ({ unsavedDrafts: exportDrafts(deps, caller, add) }),
  tables: {
    entry_drafts: { exported: 'unsavedDrafts', forgotten: 'cascade' },
  },
  functions: ['lock_draft'],
}
