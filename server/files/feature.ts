import type { Feature } from '#server/feature.ts'
import { mediaRoutes } from './media-routes.ts'
import { fileRoutes } from './routes.ts'
import { fileSweeps } from './sweep.ts'

export const fileFeature: Feature = {
  name: 'files',
  routes: ({ api, serve, deps }) => {
    fileRoutes(serve, deps)
    mediaRoutes(api, deps)
  },
  tasks: (deps) => fileSweeps(deps),
  tables: {
    files: { exported: 'projects.milestones.entries.files', forgotten: 'anonymize', trash: 'parent' },
    file_uses: { exported: 'projects.milestones.entries.files', forgotten: 'cascade', trash: 'parent' },
  },
  functions: ['file_uses_changed', 'files_counted', 'files_taken_over'],
}
