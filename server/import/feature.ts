import type { Feature } from '#server/feature.ts'
import { importRoutes } from './routes.ts'
import { importPlaces, importSweep } from './work.ts'

export const importFeature: Feature = {
  name: 'import',
  routes: ({ serve, deps }) => importRoutes(serve, deps),
  tasks: (deps) => [...importPlaces(deps), importSweep(deps)],
  tables: {
    imports: { exported: { not: 'what was brought is in the projects' }, forgotten: 'anonymize' },
    import_items: { exported: { not: 'ids of what was brought' }, forgotten: 'expire' },
  },
}
