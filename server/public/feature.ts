import type { Feature } from '#server/feature.ts'
import { publicPages } from './pages.ts'
import { pictureRoutes } from './picture/routes.ts'
import { publicPageRoutes } from './routes.ts'
import { sitemapRoutes } from './sitemap/routes.ts'

export const publicFeature: Feature = {
  name: 'world',
  routes: ({ api, serve, deps, options }) => {
    publicPageRoutes(serve, deps)
    pictureRoutes(api, deps)
    sitemapRoutes(api, deps, options)
  },
  pages: publicPages,
}
