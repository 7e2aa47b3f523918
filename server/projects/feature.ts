import type { Feature } from '#server/feature.ts'
import { projectRoutes } from './routes.ts'

export const projectFeature: Feature = {
  name: 'projects',
  routes: ({ serve, deps }) => projectRoutes(serve, deps),
  tables: {
    projects: { exported: 'projects', forgotten: 'cascade', trash: 'mark' },
  },
  functions: [
    'project_changed',
    'project_visibility',
    'project_counted',
    'sort_key',
    'searchable',
    'letters_replaced',
    'folded',
  ],
}
