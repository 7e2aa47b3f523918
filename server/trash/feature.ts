import type { Feature } from '#server/feature.ts'
import { changeSweep } from '#server/platform/changes/sweep.ts'
import { trashPurge } from './purge.ts'
import { trashRoutes } from './routes.ts'

export const trashFeature: Feature = {
  name: 'trash',
  routes: ({ serve, deps }) => trashRoutes(serve, deps),
  tasks: (deps) => [trashPurge(deps), changeSweep(deps)],
  tables: {
    deletions: { exported: { not: 'what is in the trash is not downloaded' }, forgotten: 'anonymize' },
    restorations: { exported: { not: 'ids of changes' }, forgotten: 'anonymize' },
    removed_ids: { exported: { not: 'ids of changes' }, forgotten: 'nobody' },
    idempotency_keys: { exported: { not: 'ids of changes' }, forgotten: 'cascade' },
  },
  functions: ['taken_by', 'note_removed'],
}
