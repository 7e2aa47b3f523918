import type { Feature } from '#server/feature.ts'
import { sharePages } from './pages.ts'
import { sharedFileRoutes, shareRoutes } from './routes.ts'
import { exportShareLinks } from './service.ts'

export const shareFeature: Feature = {
  name: 'shares',
  routes: ({ api, serve, deps, options }) => {
    shareRoutes(serve, deps, options)
    sharedFileRoutes(api, deps)
  },
  pages: sharePages,
  exportProject: exportShareLinks,
  tables: {
    share_links: { exported: 'projects.links', forgotten: 'cascade', trash: 'parent' },
  },
}
